import type { WorkerOptions } from '@temporalio/worker';
import type { Queue } from '../workflows/process';

type Concurrency = Pick<
  WorkerOptions,
  | 'maxConcurrentActivityTaskExecutions'
  | 'maxConcurrentLocalActivityExecutions'
  | 'maxConcurrentWorkflowTaskExecutions'
  | 'maxTaskQueueActivitiesPerSecond'
  | 'maxCachedWorkflows'
>;

/**
 * What each queue may do at once in one process. The connection pool is the scarce thing, so local activities, which
 * are SQL, stay below it; calls to other companies are limited for all workers together.
 */
export const queueConcurrency: Record<Queue, Concurrency> = {
  interactive: {
    maxConcurrentWorkflowTaskExecutions: 40,
    maxConcurrentActivityTaskExecutions: 4,
    maxConcurrentLocalActivityExecutions: 12,
    maxCachedWorkflows: 500,
  },
  ingest: {
    maxConcurrentWorkflowTaskExecutions: 20,
    maxConcurrentActivityTaskExecutions: 4,
    maxConcurrentLocalActivityExecutions: 6,
    maxCachedWorkflows: 200,
  },
  providers: {
    maxConcurrentWorkflowTaskExecutions: 10,
    maxConcurrentActivityTaskExecutions: 16,
    maxConcurrentLocalActivityExecutions: 4,
    maxTaskQueueActivitiesPerSecond: 50,
    maxCachedWorkflows: 100,
  },
  batch: {
    maxConcurrentWorkflowTaskExecutions: 4,
    maxConcurrentActivityTaskExecutions: 4,
    maxConcurrentLocalActivityExecutions: 4,
    maxCachedWorkflows: 50,
  },
};
