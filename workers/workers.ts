import {
  Worker,
  type ActivityInterceptorsFactory,
  type InjectedSinks,
  type NativeConnection,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { Sinks } from '@temporalio/workflow';
import { isProcessQueue, type ProviderQueue, type Queue } from '../workflows/kit/queues';
import { slotsFor, type CallLimits } from './queues';
import { logRequestId } from './observe/request-id';

/** One worker for each queue that this process serves, over one connection and one set of activities. */
export function createWorkers(options: {
  connection: NativeConnection;
  namespace: string;
  queues: readonly Queue[];
  /** Connections of the pool that the activities use; see `slotsFor`. */
  poolMax: number;
  callLimits: CallLimits;
  workflowBundle: WorkflowBundleOption;
  activities: object;
  /** What takes traces, if they are taken. */
  tracing?: { activity: ActivityInterceptorsFactory; sinks: InjectedSinks<Sinks> } | null;
}): Promise<Worker[]> {
  const { connection, namespace, queues, poolMax, callLimits, workflowBundle, activities, tracing } = options;
  return Promise.all(
    [...slotsFor(queues, poolMax)].map(([queue, slots]) =>
      Worker.create({
        connection,
        namespace,
        ...(isProcessQueue(queue) ? { workflowBundle } : limitOf(callLimits[queue])),
        activities,
        taskQueue: queue,
        interceptors: { activity: [logRequestId, ...(tracing ? [tracing.activity] : [])] },
        ...(tracing && { sinks: tracing.sinks }),
        stickyQueueScheduleToStartTimeout: '5 seconds',
        shutdownGraceTime: 0, // What can end early has to be told at once; the others don't listen, and finish.
        shutdownForceTime: '25 seconds',
        ...slots,
      }),
    ),
  );
}

const limitOf = (perSecond: CallLimits[ProviderQueue]): { maxTaskQueueActivitiesPerSecond?: number } =>
  perSecond === undefined ? {} : { maxTaskQueueActivitiesPerSecond: perSecond };
