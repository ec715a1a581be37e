import {
  Worker,
  type ActivityInterceptorsFactory,
  type InjectedSinks,
  type NativeConnection,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { Sinks } from '@temporalio/workflow';
import type { ParkingSinks } from '../workflows/kit/parking.contract';
import {
  EVENTS_QUEUE,
  isProcessQueue,
  LONG_QUEUE,
  type ProcessQueue,
  type Queue,
} from '../workflows/kit/queues';
import type { CallLimits } from './limits';
import { slotsFor } from './queues';
import { logRequestId } from './observe/request-id';

/** Creates one worker for each queue, with a shared connection and shared activities. */
export function createWorkers(options: {
  connection: NativeConnection;
  namespace: string;
  queues: readonly Queue[];
  /** Connections of the pool that the activities use; see `slotsFor`. */
  poolMax: number;
  /** Of the policy; left out: one. */
  eventConcurrency?: number;
  callLimits: CallLimits;
  workflowBundle: WorkflowBundleOption;
  activities: object;
  sinks?: InjectedSinks<ParkingSinks>;
  /** Null or left out: no traces are collected. */
  tracing?: { activity: ActivityInterceptorsFactory; sinks: InjectedSinks<Sinks> } | null;
}): Promise<Worker[]> {
  const { connection, namespace, queues, callLimits, workflowBundle, activities, sinks, tracing } = options;
  const { poolMax, eventConcurrency = 1 } = options;
  return Promise.all(
    [...slotsFor(queues, { poolMax, eventConcurrency })].map(([queue, slots]) =>
      Worker.create({
        connection,
        namespace,
        ...(isProcessQueue(queue) ? { workflowBundle } : limitOf(queue, callLimits)),
        activities,
        taskQueue: queue,
        interceptors: { activity: [logRequestId, ...(tracing ? [tracing.activity] : [])] },
        sinks: { ...sinks, ...tracing?.sinks },
        stickyQueueScheduleToStartTimeout: '5 seconds',
        shutdownGraceTime: 0, // Cancels activities at once; those that cannot be cancelled finish.
        shutdownForceTime: '25 seconds',
        ...slots,
      }),
    ),
  );
}

function limitOf(
  queue: Exclude<Queue, ProcessQueue>,
  limits: CallLimits,
): { maxTaskQueueActivitiesPerSecond?: number } {
  const perSecond = queue === EVENTS_QUEUE || queue === LONG_QUEUE ? undefined : limits[queue];
  return perSecond === undefined ? {} : { maxTaskQueueActivitiesPerSecond: perSecond };
}
