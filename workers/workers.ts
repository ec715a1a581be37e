import {
  Worker,
  type ActivityInterceptorsFactory,
  type InjectedSinks,
  type NativeConnection,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { Sinks } from '@temporalio/workflow';
import type { ParkingSinks } from '../workflows/kit/parking.contract';
import { isProcessQueue, type ProviderQueue, type Queue } from '../workflows/kit/queues';
import { slotsFor, type CallLimits } from './queues';
import { logRequestId } from './observe/request-id';

/** Creates one worker for each queue, with a shared connection and shared activities. */
export function createWorkers(options: {
  connection: NativeConnection;
  namespace: string;
  queues: readonly Queue[];
  /** Connections of the pool that the activities use; see `slotsFor`. */
  poolMax: number;
  callLimits: CallLimits;
  workflowBundle: WorkflowBundleOption;
  activities: object;
  sinks?: InjectedSinks<ParkingSinks>;
  /** Null or left out: no traces are collected. */
  tracing?: { activity: ActivityInterceptorsFactory; sinks: InjectedSinks<Sinks> } | null;
}): Promise<Worker[]> {
  const { connection, namespace, queues, poolMax, callLimits, workflowBundle, activities, sinks, tracing } =
    options;
  return Promise.all(
    [...slotsFor(queues, poolMax)].map(([queue, slots]) =>
      Worker.create({
        connection,
        namespace,
        ...(isProcessQueue(queue) ? { workflowBundle } : limitOf(callLimits[queue])),
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

const limitOf = (perSecond: CallLimits[ProviderQueue]): { maxTaskQueueActivitiesPerSecond?: number } =>
  perSecond === undefined ? {} : { maxTaskQueueActivitiesPerSecond: perSecond };
