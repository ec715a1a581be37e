import { z } from 'zod';
import { readVariables } from './environment/variables';

/** The environment of this process. Empty variables, as lines of an `.env` file leave them, count as unset. */
export const environment = (): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));

/** PostgreSQL's address with user, password and database name. */
export const PostgresUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be postgres://user:password@host:port/name',
});

/** True or false, as people write it: also yes, no, on, off, 1 and 0. */
export const Switch = z.stringbool({ error: 'must be true or false' });

/** The address that a server listens on; 0.0.0.0 lets other machines and containers reach it. */
export const ListenAddress = z
  .union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' })
  .default('127.0.0.1');

const NodeEnvironment = z.enum(['production', 'development', 'test']).default('development');

const Variables = z.object({
  /** PostgreSQL's address with user, password and database name. */
  DATABASE_URL: PostgresUrl,
  /** The same database as the role that owns the schema, for migrations only. Default: DATABASE_URL. */
  DATABASE_OWNER_URL: PostgresUrl.optional(),
  /** Connections of one process. Keep (API processes + workers) × this below the server's max_connections. */
  DATABASE_POOL_MAX: z.coerce.number().int().min(2).max(200).default(20),
  /** Limit of a statement, in milliseconds; far above anything that a person waits for. */
  DATABASE_STATEMENT_TIMEOUT_MS: z.coerce.number().int().min(100).default(30_000),
  /** Makes the seed add demo accounts, products and orders; production refuses it. */
  SEED_DEMO: Switch.optional(),
  NODE_ENV: NodeEnvironment,
});

/** Refuses demo data in production: its wallets were never paid for, and its passwords are public. */
const hasNoDemo = ({ NODE_ENV, SEED_DEMO }: z.output<typeof Variables>): boolean =>
  NODE_ENV !== 'production' || SEED_DEMO !== true;
const NO_DEMO = { path: ['SEED_DEMO'], error: 'production takes no demo data: unset it, or set it to false' };

/** Variables of the database connection. */
export const DatabaseConfig = Variables.refine(hasNoDemo, NO_DEMO);

export type DatabaseConfig = z.output<typeof DatabaseConfig>;

/** Variables of the seed: those of the connection, and the first administrator, whom production has to name. */
export const SeedConfig = Variables.extend({
  ADMIN_EMAIL: z.email().max(254).toLowerCase().optional(),
  ADMIN_PASSWORD: z.string().min(12, 'must have at least 12 characters').max(128).optional(),
})
  .refine(hasNoDemo, NO_DEMO)
  .refine(
    ({ ADMIN_EMAIL, ADMIN_PASSWORD }) => (ADMIN_EMAIL === undefined) === (ADMIN_PASSWORD === undefined),
    'ADMIN_EMAIL and ADMIN_PASSWORD go together',
  );

export type SeedConfig = z.output<typeof SeedConfig>;

/** The variable of `startTracing`, for API and workers. */
export const TracingConfig = z.object({
  /** The base address that traces are sent to (OTLP over HTTP), such as http://localhost:4318; unset: no traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
});

/** Variables that decide whether sandbox payments are allowed (`db/policy/production.ts`), for API and workers. */
export const PaymentsMode = z.object({
  NODE_ENV: NodeEnvironment,
  /** Allows the sandbox provider and the demo's bank account in production, to try the platform out. */
  ALLOW_SANDBOX_PAYMENTS: Switch.optional(),
});

export type PaymentsMode = z.output<typeof PaymentsMode>;

export const databaseConfig = (): DatabaseConfig => readVariables(DatabaseConfig, environment());

export const seedConfig = (): SeedConfig => readVariables(SeedConfig, environment());
