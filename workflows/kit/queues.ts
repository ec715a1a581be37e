/** The external systems that activities call, fixed at build time. Each has its own queues and limits. */
export const PROVIDER_DRIVERS = ['sandbox', 'stripe', 'bank', 'mail', 'investment'] as const;
export type ProviderDriver = (typeof PROVIDER_DRIVERS)[number];

/** The drivers that can be queried for the result of an earlier call. */
export const LOOKUP_DRIVERS = [
  'sandbox',
  'stripe',
  'bank',
  'investment',
] as const satisfies readonly ProviderDriver[];
export type LookupDriver = (typeof LOOKUP_DRIVERS)[number];

/**
 * Queues of processes: `interactive` while a caller waits, `ingest` for webhooks, `batch` for schedules and the rest.
 */
export const PROCESS_QUEUES = ['interactive', 'ingest', 'batch'] as const;
export type ProcessQueue = (typeof PROCESS_QUEUES)[number];

/** The queue of the activities of event consumers, which run without end: they take no slot of other work. */
export const EVENTS_QUEUE = 'events';

/**
 * The queue of activities that read or change whole tables for up to an hour, such as the invariants: however many run, the
 * minute's sweep and the rest of `batch` get their slots.
 */
export const LONG_QUEUE = 'long';

/** Queues of calls to an external system; look-ups have their own, so that they never delay other calls. */
export type ProviderQueue = `providers:${ProviderDriver}` | `providers:${LookupDriver}:lookup`;

export type Queue = ProcessQueue | typeof EVENTS_QUEUE | typeof LONG_QUEUE | ProviderQueue;

export const providerQueue = (driver: ProviderDriver): ProviderQueue => `providers:${driver}`;
export const lookupQueue = (driver: LookupDriver): ProviderQueue => `providers:${driver}:lookup`;

export const PROVIDER_QUEUES: readonly ProviderQueue[] = [
  ...PROVIDER_DRIVERS.map(providerQueue),
  ...LOOKUP_DRIVERS.map(lookupQueue),
];

export const QUEUES: readonly Queue[] = [...PROCESS_QUEUES, EVENTS_QUEUE, LONG_QUEUE, ...PROVIDER_QUEUES];

/** True if processes run on the queue, in contrast to activities alone. */
export const isProcessQueue = (queue: Queue): queue is ProcessQueue =>
  (PROCESS_QUEUES as readonly Queue[]).includes(queue);

/** Codes of providers that share the queues of another driver: files for our bank are made here, and call nothing. */
const SHARED_QUEUES: ReadonlyMap<string, ProviderDriver> = new Map([['bank-file', 'bank']]);

/** The driver of a provider's code; null if this release does not have it. */
export const providerDriver = (code: string): ProviderDriver | null =>
  SHARED_QUEUES.get(code) ?? PROVIDER_DRIVERS.find((driver) => driver === code) ?? null;
