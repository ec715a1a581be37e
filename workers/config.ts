import { z } from 'zod';
import { environment, ListenAddress, Switch, TracingConfig } from '../db/sql/config';
import { TemporalConfig } from '../db/sql/environment/temporal';
import { readVariables } from '../db/sql/environment/variables';
import { SealingConfig } from '../db/sealing/config';
import { QUEUES } from '../workflows/kit/queues';
import { queuesNamed, type CallLimits } from './queues';

const perSecond = (fallback: number) => z.coerce.number().min(0.1).max(100_000).default(fallback);

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
  /** Calls to a driver per second by all workers together; set the same value for every worker. */
  SANDBOX_CALLS_PER_SECOND: perSecond(200),
  STRIPE_CALLS_PER_SECOND: perSecond(50),
  BANK_CALLS_PER_SECOND: perSecond(10),
  INVESTMENT_CALLS_PER_SECOND: perSecond(50),
  /** The same for look-ups, which no caller waits for. */
  SANDBOX_LOOKUPS_PER_SECOND: perSecond(100),
  STRIPE_LOOKUPS_PER_SECOND: perSecond(20),
  BANK_LOOKUPS_PER_SECOND: perSecond(5),
  INVESTMENT_LOOKUPS_PER_SECOND: perSecond(20),
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

/** The limits of the provider queues. Mail has none, because one activity sends it and paces itself. */
export const callLimits = (config: WorkerConfig): CallLimits => ({
  'providers:sandbox': config.SANDBOX_CALLS_PER_SECOND,
  'providers:stripe': config.STRIPE_CALLS_PER_SECOND,
  'providers:bank': config.BANK_CALLS_PER_SECOND,
  'providers:investment': config.INVESTMENT_CALLS_PER_SECOND,
  'providers:sandbox:lookup': config.SANDBOX_LOOKUPS_PER_SECOND,
  'providers:stripe:lookup': config.STRIPE_LOOKUPS_PER_SECOND,
  'providers:bank:lookup': config.BANK_LOOKUPS_PER_SECOND,
  'providers:investment:lookup': config.INVESTMENT_LOOKUPS_PER_SECOND,
});
