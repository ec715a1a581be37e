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

/**
 * A queue of calls to an external system, by the code of its driver. Workers poll the queues of the drivers that they have; a
 * process need not know which these are.
 */
export type ProviderQueue = `providers:${string}`;

export type Queue = ProcessQueue | typeof EVENTS_QUEUE | typeof LONG_QUEUE | ProviderQueue;

export const providerQueue = (code: string): ProviderQueue => `providers:${code}`;

const LOOKUPS = ':lookup';

/** The queue of a driver's look-ups, which is apart, so that they never delay other calls. */
export const lookupQueue = (code: string): ProviderQueue => `providers:${code}${LOOKUPS}`;

export const isLookupQueue = (queue: Queue): boolean => queue.endsWith(LOOKUPS);

/** True if processes run on the queue, in contrast to activities alone. */
export const isProcessQueue = (queue: Queue): queue is ProcessQueue =>
  (PROCESS_QUEUES as readonly Queue[]).includes(queue);
