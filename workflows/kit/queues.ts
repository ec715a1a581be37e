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

/** Queues of calls to an external system; look-ups have their own, so that they never delay other calls. */
export type ProviderQueue = `providers:${ProviderDriver}` | `providers:${LookupDriver}:lookup`;

export type Queue = ProcessQueue | ProviderQueue;

export const providerQueue = (driver: ProviderDriver): ProviderQueue => `providers:${driver}`;
export const lookupQueue = (driver: LookupDriver): ProviderQueue => `providers:${driver}:lookup`;

export const PROVIDER_QUEUES: readonly ProviderQueue[] = [
  ...PROVIDER_DRIVERS.map(providerQueue),
  ...LOOKUP_DRIVERS.map(lookupQueue),
];

export const QUEUES: readonly Queue[] = [...PROCESS_QUEUES, ...PROVIDER_QUEUES];

/** True if processes run on the queue, in contrast to calls to external systems. */
export const isProcessQueue = (queue: Queue): queue is ProcessQueue =>
  (PROCESS_QUEUES as readonly Queue[]).includes(queue);

/** The driver with this code; null if this release does not have it. */
export const providerDriver = (code: string): ProviderDriver | null =>
  PROVIDER_DRIVERS.find((driver) => driver === code) ?? null;
