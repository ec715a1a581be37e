import { z } from 'zod';
import { BlobConfig } from '../db/blobs/config';
import { addressesAllowedBy, ProviderAddressConfig } from '../db/investment/provider/config';
import { environment, ListenAddress, TracingConfig } from '../db/sql/config';
import { TemporalConfig } from '../db/sql/environment/temporal';
import { ConfigurationError, readVariables } from '../db/sql/environment/variables';
import { AuthConfig } from './http/auth/config';
import { GeoConfig } from './http/geo/config';
import { TrustedProxies } from './http/request/proxies';
import { requireScannerAddress, ScannerConfig } from './media/scanner/config';
import { PaymentsConfig, requireWholePayments } from './payments/config';

const list = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((part) => part.trim() || []));

/** An origin as browsers send it: scheme, host and port only. */
const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  message: 'must be an origin like https://shop.example',
});

const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);

/** The settings of the API. */
export const ApiConfig = z.object({
  ...AuthConfig.shape,
  ...GeoConfig.shape,
  ...BlobConfig.shape,
  ...PaymentsConfig.shape,
  ...ProviderAddressConfig.shape,
  ...ScannerConfig.shape,
  ...TracingConfig.shape,
  HOST: ListenAddress,
  PORT: port(3000),
  /** The address of the Prometheus metrics; not for the public. */
  METRICS_HOST: ListenAddress,
  METRICS_PORT: port(9464),
  TRUST_PROXY: TrustedProxies,
  /** Origins of pages, besides our own, that may use the API, comma-separated. */
  CORS_ORIGINS: list.pipe(z.array(origin)),
  /** Memory for cached answers about the catalogue, in megabytes; 0 switches the cache off. */
  CATALOGUE_CACHE_MB: z.coerce.number().min(0).max(16_384).default(64),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Time between `not ready` and the closing of the port, so that load balancers stop sending; milliseconds. */
  DRAIN_DELAY_MS: z.coerce.number().int().min(0).max(60_000).default(0),
  ...TemporalConfig.shape,
  /** The address of the Temporal UI, for links to it; unset: there are none. */
  TEMPORAL_UI_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address like https://temporal.example' })
    .transform((address) => address.replace(/\/+$/, ''))
    .optional(),
});

export type ApiConfig = z.output<typeof ApiConfig>;

/** Reads the environment; throws ConfigurationError with a sentence for each fault. */
export function apiConfig(): ApiConfig {
  refuseDemoSecrets(process.env);
  const config = readVariables(ApiConfig, environment());
  requireWholePayments(config);
  requireScannerAddress(config);
  addressesAllowedBy(config);
  return config;
}

const SECRETS = ['JWT_KEYS', 'SANDBOX_SECRET', 'SEALING_KEYS'];

/** Refuses demo secrets in production, since they are public. All begin with `demo-`, keys with a `demo-` `kid`. */
export function refuseDemoSecrets(environment: Readonly<Record<string, string | undefined>>): void {
  if (environment['NODE_ENV'] !== 'production') return;
  const demo = SECRETS.filter((name) => /^demo-|"kid"\s*:\s*"demo-/.test(environment[name] ?? ''));
  if (demo.length > 0) throw new ConfigurationError(`Production takes no demo secrets: ${demo.join(', ')}.`);
}
