import {
  Worker,
  type ActivityInterceptorsFactory,
  type InjectedSinks,
  type NativeConnection,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { Sinks } from '@temporalio/workflow';
import type { Queue } from '../workflows/process';
import { queueConcurrency } from './queues';
import { logRequestId } from './request-id';

/** One worker for each queue that this process serves, over one connection and one set of activities. */
export function createWorkers(options: {
  connection: NativeConnection;
  namespace: string;
  queues: readonly Queue[];
  workflowBundle: WorkflowBundleOption;
  activities: object;
  /** What takes traces, if they are taken. */
  tracing?: { activity: ActivityInterceptorsFactory; sinks: InjectedSinks<Sinks> } | null;
}): Promise<Worker[]> {
  const { connection, namespace, queues, workflowBundle, activities, tracing } = options;
  return Promise.all(
    queues.map((queue) =>
      Worker.create({
        connection,
        namespace,
        workflowBundle,
        activities,
        taskQueue: queue,
        interceptors: { activity: [logRequestId, ...(tracing ? [tracing.activity] : [])] },
        ...(tracing && { sinks: tracing.sinks }),
        stickyQueueScheduleToStartTimeout: '5 seconds',
        shutdownGraceTime: 0, // The outbox sender has to hear of it at once; the others don't listen, and finish.
        shutdownForceTime: '25 seconds',
        ...queueConcurrency[queue],
      }),
    ),
  );
}
