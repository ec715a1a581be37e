import { z } from 'zod';
import { environment, ListenAddress, TracingConfig } from '../db/config';
import { SealingConfig } from '../db/sealing/config';
import { QUEUES } from '../workflows/process';

/** What this folder needs of the environment. */
export const WorkerConfig = z.object({
  ...TracingConfig.shape,
  /** What the API seals, workers open: both need the same keys. */
  ...SealingConfig.shape,
  /** Temporal's frontend, host:port. */
  TEMPORAL_ADDRESS: z.string().default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  /** Which queues this process serves, comma-separated. */
  WORKER_QUEUES: z
    .string()
    .default(QUEUES.join(','))
    .transform((list) => list.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(QUEUES)).min(1)),
  /** Where metrics and health are read; not for the public. */
  METRICS_HOST: ListenAddress,
  /** Prometheus metrics of the Temporal SDK. */
  WORKER_METRICS_PORT: z.coerce.number().int().min(0).max(65_535).default(9465),
  /** Answers /health/live and /health/ready, and /metrics with what the platform waits for. */
  WORKER_HEALTH_PORT: z.coerce.number().int().min(0).max(65_535).default(9466),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export type WorkerConfig = z.output<typeof WorkerConfig>;

export const workerConfig = (): WorkerConfig => WorkerConfig.parse(environment());
