import { z } from 'zod';
import { BlobConfig } from '../db/blobs/config';
import { environment, ListenAddress, TracingConfig } from '../db/sql/config';
import { AuthConfig } from './http/auth/config';
import { GeoConfig } from './http/geo/config';
import { TrustedProxies } from './http/request/proxies';
import { PaymentsConfig, requireWholePayments } from './payments/config';

const list = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((part) => part.trim() || []));

/** An origin as browsers write it: scheme, host and port, nothing after. */
const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  message: 'must be an origin like https://shop.example',
});

const port = (usual: number) => z.coerce.number().int().min(0).max(65_535).default(usual);

/** What this folder needs of the environment. */
export const ApiConfig = z.object({
  ...AuthConfig.shape,
  ...GeoConfig.shape,
  ...BlobConfig.shape,
  ...PaymentsConfig.shape,
  ...TracingConfig.shape,
  HOST: ListenAddress,
  PORT: port(3000),
  /** Where Prometheus reads; not for the public. */
  METRICS_HOST: ListenAddress,
  METRICS_PORT: port(9464),
  TRUST_PROXY: TrustedProxies,
  /** Origins of pages beside our own that may use the API, comma-separated. */
  CORS_ORIGINS: list.pipe(z.array(origin)),
  /** How much memory of this process keeps answers about the catalogue; 0: none are kept. */
  CATALOGUE_CACHE_MB: z.coerce.number().min(0).max(16_384).default(64),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** How long readiness says no before the port closes, so that load balancers look elsewhere first; milliseconds. */
  DRAIN_DELAY_MS: z.coerce.number().int().min(0).max(60_000).default(0),
  TEMPORAL_ADDRESS: z.string().min(1).default('localhost:7233'),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
});

export type ApiConfig = z.output<typeof ApiConfig>;

/** Reads the environment; throws a ZodError that names each variable that will not do. */
export function apiConfig(): ApiConfig {
  refuseDemoSecrets(process.env);
  const config = ApiConfig.parse(environment());
  requireWholePayments(config);
  return config;
}

const SECRETS = ['JWT_KEYS', 'SANDBOX_SECRET', 'SEALING_KEYS'];

/** Everyone can read what the demo secrets are. They all begin with `demo-`, keys by their `kid`; production takes none. */
export function refuseDemoSecrets(environment: Readonly<Record<string, string | undefined>>): void {
  if (environment['NODE_ENV'] !== 'production') return;
  const demo = SECRETS.filter((name) => /^demo-|"kid"\s*:\s*"demo-/.test(environment[name] ?? ''));
  if (demo.length > 0) throw new Error(`Production takes no demo secrets: ${demo.join(', ')}.`);
}
