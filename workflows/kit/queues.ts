/** The outside systems that activities call, fixed when the program is built. Each has queues and limits of its own. */
export const PROVIDER_DRIVERS = ['sandbox', 'stripe', 'bank', 'mail', 'investment'] as const;
export type ProviderDriver = (typeof PROVIDER_DRIVERS)[number];

/** The drivers that can be asked what became of something. */
export const LOOKUP_DRIVERS = [
  'sandbox',
  'stripe',
  'bank',
  'investment',
] as const satisfies readonly ProviderDriver[];
export type LookupDriver = (typeof LOOKUP_DRIVERS)[number];

/** Queues on which processes run: a person waits, a provider reported, a schedule ran or nobody waits. */
export const PROCESS_QUEUES = ['interactive', 'ingest', 'batch'] as const;
export type ProcessQueue = (typeof PROCESS_QUEUES)[number];

/** Queues of calls to an outside system; look-ups, for which nobody waits, never delay the other calls. */
export type ProviderQueue = `providers:${ProviderDriver}` | `providers:${LookupDriver}:lookup`;

export type Queue = ProcessQueue | ProviderQueue;

export const providerQueue = (driver: ProviderDriver): ProviderQueue => `providers:${driver}`;
export const lookupQueue = (driver: LookupDriver): ProviderQueue => `providers:${driver}:lookup`;

export const PROVIDER_QUEUES: readonly ProviderQueue[] = [
  ...PROVIDER_DRIVERS.map(providerQueue),
  ...LOOKUP_DRIVERS.map(lookupQueue),
];

export const QUEUES: readonly Queue[] = [...PROCESS_QUEUES, ...PROVIDER_QUEUES];

/** Whether processes run on the queue, as opposed to calls to an outside system only. */
export const isProcessQueue = (queue: Queue): queue is ProcessQueue =>
  (PROCESS_QUEUES as readonly Queue[]).includes(queue);

/** The driver that rows name by this code; null for one that this program was built without. */
export const providerDriver = (code: string): ProviderDriver | null =>
  PROVIDER_DRIVERS.find((driver) => driver === code) ?? null;
