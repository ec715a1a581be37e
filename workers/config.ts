import { z } from 'zod';
import { environment, ListenAddress, Switch, TracingConfig } from '../db/sql/config';
import { TemporalConfig } from '../db/sql/environment/temporal';
import { readVariables } from '../db/sql/environment/variables';
import { SealingConfig } from '../db/sealing/config';
import { drivers } from '../activities/providers/drivers';
import { limitVariables } from './limits';
import { QUEUES, queuesNamed } from './queues';

/** The settings of a worker. */
export const WorkerConfig = z.object({
  ...TracingConfig.shape,
  /** Workers open what the API seals, so both need the same keys. */
  ...SealingConfig.shape,
  ...TemporalConfig.shape,
  /** The queues that this process serves, comma-separated; `providers` means all provider queues. */
  WORKER_QUEUES: z
    .string()
    .default(QUEUES.join(','))
    .transform((list, context) => {
      const queues = queuesNamed(list);
      if (queues) return queues;
      context.addIssue({ code: 'custom', message: `must name queues of ${QUEUES.join(', ')}, or providers` });
      return z.NEVER;
    }),
  /** Database connections of this process, divided among its queues. */
  WORKER_POOL_MAX: z.coerce.number().int().min(5).max(200).default(40),
  /**
   * Longest run of a statement, and longest wait for a lock, in milliseconds: less than the 10 s of a step, so that a
   * retry never overlaps the first try.
   */
  WORKER_STATEMENT_TIMEOUT_MS: z.coerce.number().int().min(100).max(9_000).default(8_000),
  WORKER_LOCK_TIMEOUT_MS: z.coerce.number().int().min(100).max(9_000).default(6_000),
  /** True: `__stack_trace` is answered, the call stack in the Temporal UI, which costs CPU in each step of a workflow. */
  WORKER_PROMISE_STACKS: Switch.default(false),
  ...limitVariables(drivers),
  /** The address of metrics and health; not for the public. */
  METRICS_HOST: ListenAddress,
  /** Prometheus metrics of the Temporal SDK. */
  WORKER_METRICS_PORT: z.coerce.number().int().min(0).max(65_535).default(9465),
  /** Serves /health/live, /health/ready, and /metrics with the figures of the platform. */
  WORKER_HEALTH_PORT: z.coerce.number().int().min(0).max(65_535).default(9466),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export type WorkerConfig = z.output<typeof WorkerConfig>;

export const workerConfig = (): WorkerConfig => readVariables(WorkerConfig, environment());
