import { Worker, type NativeConnection, type WorkflowBundleOption } from '@temporalio/worker';
import type { Queue } from '../workflows/process';
import { queueConcurrency } from './queues';

/** One worker for each queue that this process serves, over one connection and one set of activities. */
export function createWorkers(options: {
  connection: NativeConnection;
  namespace: string;
  queues: readonly Queue[];
  workflowBundle: WorkflowBundleOption;
  activities: object;
}): Promise<Worker[]> {
  const { connection, namespace, queues, workflowBundle, activities } = options;
  return Promise.all(
    queues.map((queue) =>
      Worker.create({
        connection,
        namespace,
        workflowBundle,
        activities,
        taskQueue: queue,
        stickyQueueScheduleToStartTimeout: '5 seconds',
        shutdownGraceTime: 0, // The outbox sender has to hear of it at once; the others don't listen, and finish.
        shutdownForceTime: '25 seconds',
        ...queueConcurrency[queue],
      }),
    ),
  );
}
