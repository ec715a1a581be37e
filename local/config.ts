import path from 'node:path';
import { z } from 'zod';
import { PostgresUrl, Switch } from '../db/sql/config';
import {
  TemporalConfig,
  temporalServer,
  TLS_VARIABLES,
  type TemporalServer,
} from '../db/sql/environment/temporal';
import { ConfigurationError, readVariables } from '../db/sql/environment/variables';
import { codeOf } from './failure';

const Port = z.coerce.number().int().min(1).max(65_535);
/** The beginning of a demo secret, or of the id of a demo key. */
const DEMO_SECRET = /^demo-|"kid"\s*:\s*"demo-/;
const SECRET_NAMES = ['JWT_KEYS', 'SANDBOX_SECRET', 'SEALING_KEYS'] as const;

/** Variables of the launcher itself; the programs that it starts read theirs from the same environment. */
const LocalConfig = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  /** Everything that survives a stop: cluster, Temporal's file, secrets, logs. */
  DATA_DIR: z.string().default('.data'),
  /** A PostgreSQL server to use instead of the embedded one. */
  DATABASE_URL: PostgresUrl.optional(),
  /** The same server, as the role that owns the schema and migrates it. */
  DATABASE_OWNER_URL: PostgresUrl.optional(),
  /** A Temporal server to use instead of the development server. */
  TEMPORAL_ADDRESS: z.string().optional(),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  /** The embedded PostgreSQL's port; without it 54329, or a free one when that is taken. */
  PG_PORT: Port.optional(),
  TEMPORAL_PORT: Port.default(7233),
  TEMPORAL_UI_PORT: Port.default(8233),
  TEMPORAL_HTTP_PORT: Port.optional(),
  TEMPORAL_METRICS_PORT: Port.optional(),
  /** The address that the programs listen on. Default: this machine only. */
  HOST: z.string().default('127.0.0.1'),
  METRICS_HOST: z.string().default('127.0.0.1'),
  PORT: Port.default(3000),
  METRICS_PORT: Port.default(9464),
  WORKER_METRICS_PORT: Port.default(9465),
  WORKER_HEALTH_PORT: Port.default(9466),
  SEED_DEMO: Switch.optional(),
  /** Shows all that the parts log, not only their errors. */
  VERBOSE: Switch.default(false),
});

export type LocalConfig = z.output<typeof LocalConfig> & {
  /** The server of TEMPORAL_ADDRESS, with the certificates and the key for it. */
  temporalServer: TemporalServer | undefined;
  /** The whole environment, to hand on to children. */
  env: NodeJS.ProcessEnv;
};

/** The reasons to refuse a start in production, one sentence each. */
function productionFaults(env: NodeJS.ProcessEnv): string[] {
  const servers = ['DATABASE_URL', 'TEMPORAL_ADDRESS'].filter((name) => env[name] === undefined);
  const missing = SECRET_NAMES.filter((name) => env[name] === undefined);
  const demo = SECRET_NAMES.filter((name) => DEMO_SECRET.test(env[name] ?? ''));
  return [
    ...servers.map((name) => `${name} must name a real server: the embedded ones are for development.`),
    ...missing.map((name) => `${name} must be set: secrets are made here for development only.`),
    ...demo.map((name) => `${name} holds a demo secret: set one of your own.`),
  ];
}

/**
 * The server of TEMPORAL_ADDRESS; undefined if the launcher starts its own, which has neither TLS nor other namespaces.
 * Throws ConfigurationError.
 */
function temporalServerOf(env: NodeJS.ProcessEnv): TemporalServer | undefined {
  if (env['TEMPORAL_ADDRESS'] !== undefined) return temporalServer(readVariables(TemporalConfig, env));
  const harmless: NodeJS.ProcessEnv = { TEMPORAL_TLS: 'false', TEMPORAL_NAMESPACE: 'default' };
  const set = [...TLS_VARIABLES, 'TEMPORAL_NAMESPACE'].filter(
    (name) => env[name] !== undefined && env[name] !== harmless[name],
  );
  if (set.length === 0) return undefined;
  throw new ConfigurationError(
    `For a Temporal server of your own, which TEMPORAL_ADDRESS must name: ${set.join(', ')}. ` +
      'Unset them to use the server that is started here.',
  );
}

/** Reads and checks the launcher's variables; an empty one counts as unset. Throws ConfigurationError with a sentence for each fault. */
export function readLocalConfig(variables: NodeJS.ProcessEnv = process.env): LocalConfig {
  const env = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const config = readVariables(LocalConfig, env);
  const faults = config.NODE_ENV === 'production' ? productionFaults(env) : [];
  if (faults.length > 0) throw new ConfigurationError(`NODE_ENV=production:\n  ${faults.join('\n  ')}`);
  return { ...config, DATA_DIR: path.resolve(config.DATA_DIR), temporalServer: temporalServerOf(env), env };
}

/** Adds the variables of a `.env` file in the working directory, if there is one; those already set stay. */
export function loadDotEnv(): void {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}
