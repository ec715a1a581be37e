import type { WorkerOptions } from '@temporalio/worker';
import type { Driver } from '../activities/providers/driver';
import { drivers } from '../activities/providers/drivers';
import { LONG_WORK_SLOTS } from '../db/sql/connection';
import { CONSUMER_NAMES } from '../workflows/administration/domain-event/consumers.rules';
import {
  EVENTS_QUEUE,
  isLookupQueue,
  isProcessQueue,
  LONG_QUEUE,
  lookupQueue,
  PROCESS_QUEUES,
  providerQueue,
  type ProcessQueue,
  type ProviderQueue,
  type Queue,
} from '../workflows/kit/queues';

export type Concurrency = Required<Pick<WorkerOptions, 'maxConcurrentActivityTaskExecutions'>> &
  Pick<
    WorkerOptions,
    | 'maxConcurrentLocalActivityExecutions'
    | 'maxConcurrentWorkflowTaskExecutions'
    | 'maxConcurrentActivityTaskPolls'
    | 'maxTaskQueueActivitiesPerSecond'
    | 'maxCachedWorkflows'
  >;

/** The queues of drivers: of their calls, then of the look-ups of those that can be asked. */
export const queuesOf = (
  named: readonly Pick<Driver<never>, 'code' | 'lookUpsPerSecond'>[],
): ProviderQueue[] => [
  ...named.map(({ code }) => providerQueue(code)),
  ...named.filter(({ lookUpsPerSecond }) => lookUpsPerSecond !== null).map(({ code }) => lookupQueue(code)),
];

export const PROVIDER_QUEUES: readonly ProviderQueue[] = queuesOf(drivers);

/** Every queue that a worker of this release can serve. */
export const QUEUES: readonly Queue[] = [...PROCESS_QUEUES, EVENTS_QUEUE, LONG_QUEUE, ...PROVIDER_QUEUES];

/** Workflow tasks use no connection, so their limits do not depend on the pool. */
const WORKFLOW_TASKS: Record<ProcessQueue, { tasks: number; cached: number }> = {
  interactive: { tasks: 40, cached: 500 },
  ingest: { tasks: 20, cached: 200 },
  batch: { tasks: 4, cached: 50 },
};

/** The shares of a pool's connections for local activities and for activities of the server. */
const PROCESS_SHARES: Record<ProcessQueue, { local: number; activities: number }> = {
  interactive: { local: 10, activities: 6 },
  ingest: { local: 5, activities: 2 },
  batch: { local: 1, activities: 2 },
};
const PROVIDER_SHARE = 2;
const LOOKUP_SHARE = 1;

/** Connections reserved for work outside activities: metrics and the start of processes. */
const RESERVED = 2;
/** More concurrency makes one Node process no faster. */
const MOST_SLOTS = 40;
const POLLS_OF_AN_ACTIVITY_QUEUE = 2;

export interface Connections {
  /** Connections of the pool. */
  poolMax: number;
  /** Events that each consumer applies at the same time. Any worker may have to run all consumers, each in a slot that it never leaves. */
  eventConcurrency: number;
}

/**
 * The concurrency of each queue in a process that serves these queues with these connections. Every activity may need
 * a connection, so all slots together are fewer than the connections, and no activity times out waiting for one; those
 * of long work have a pool of their own.
 * Throws if the pool is too small for one slot each, and the consumers of events.
 */
export function slotsFor(
  queues: readonly Queue[],
  { poolMax, eventConcurrency }: Connections,
): ReadonlyMap<Queue, Concurrency> {
  const least = queues.reduce((sum, queue) => sum + leastConnections(queue, eventConcurrency), 0);
  const spare = poolMax - RESERVED - least;
  if (spare < 0)
    throw new Error(
      `WORKER_POOL_MAX must be at least ${String(least + RESERVED)} for the queues ${queues.join(', ')}.`,
    );
  const shares = queues.reduce((sum, queue) => sum + shareOf(queue), 0);
  const slots = (share: number): number => Math.min(MOST_SLOTS, 1 + Math.floor((spare * share) / shares));
  return new Map(
    queues.map((queue) => [
      queue,
      queue === EVENTS_QUEUE ? activitiesOnly(CONSUMER_NAMES.length) : concurrency(queue, slots),
    ]),
  );
}

function leastConnections(queue: Queue, eventConcurrency: number): number {
  if (queue === EVENTS_QUEUE) return CONSUMER_NAMES.length * eventConcurrency;
  if (queue === LONG_QUEUE) return 0;
  return isProcessQueue(queue) ? 2 : 1;
}

function shareOf(queue: Queue): number {
  if (queue === EVENTS_QUEUE || queue === LONG_QUEUE) return 0;
  if (!isProcessQueue(queue)) return isLookupQueue(queue) ? LOOKUP_SHARE : PROVIDER_SHARE;
  const { local, activities } = PROCESS_SHARES[queue];
  return local + activities;
}

function concurrency(queue: Queue, slots: (share: number) => number): Concurrency {
  if (queue === LONG_QUEUE) return activitiesOnly(LONG_WORK_SLOTS);
  if (!isProcessQueue(queue)) return activitiesOnly(slots(shareOf(queue)));
  const { local, activities } = PROCESS_SHARES[queue];
  const { tasks, cached } = WORKFLOW_TASKS[queue];
  return {
    maxConcurrentWorkflowTaskExecutions: tasks,
    maxConcurrentLocalActivityExecutions: slots(local),
    maxConcurrentActivityTaskExecutions: slots(activities),
    maxCachedWorkflows: cached,
  };
}

const activitiesOnly = (slots: number): Concurrency => ({
  maxConcurrentActivityTaskExecutions: slots,
  maxConcurrentActivityTaskPolls: POLLS_OF_AN_ACTIVITY_QUEUE,
});

/** Names for several queues. */
const GROUPS: Readonly<Record<string, readonly Queue[]>> = { providers: PROVIDER_QUEUES };

/** The distinct queues in a comma-separated list of queues and groups; null if a name is unknown. */
export function queuesNamed(list: string): Queue[] | null {
  const named = list.split(',').map((name) => {
    const trimmed = name.trim();
    return GROUPS[trimmed] ?? QUEUES.filter((queue) => queue === trimmed);
  });
  return named.every((queues) => queues.length > 0) ? [...new Set(named.flat())] : null;
}
