import { z } from 'zod';

/** An empty line in an `.env` file says nothing. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .literal('')
    .transform(() => undefined)
    .or(schema)
    .optional();

/** The environment of this process. An empty variable, such as a line of `.env` without a value, counts as unset. */
export const environment = (): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));

/** The address that a server listens on; other machines and containers reach it under 0.0.0.0 only. */
export const ListenAddress = z.union([z.ipv4(), z.ipv6()]).default('127.0.0.1');

const NodeEnvironment = z.enum(['production', 'development', 'test']).default('development');

const Variables = z.object({
  /** Where PostgreSQL answers, with user, password and database name. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  /** The same database, signed in as the role that owns the schema: migrations alone use it. Default: DATABASE_URL. */
  DATABASE_OWNER_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })),
  /** Connections one process may hold. Keep (API processes + workers) × this below the server's max_connections. */
  DATABASE_POOL_MAX: z.coerce.number().int().min(2).max(200).default(20),
  /** Longest a statement may run, in milliseconds; nothing a person waits for comes near it. */
  DATABASE_STATEMENT_TIMEOUT_MS: z.coerce.number().int().min(100).default(30_000),
  /** Whether the seed adds demo accounts, products and orders: wallets and passwords that production refuses. */
  SEED_DEMO: optional(z.stringbool()),
  NODE_ENV: NodeEnvironment,
});

/** Demo wallets are money that nobody paid in, behind passwords that everyone can read. */
const hasNoDemo = ({ NODE_ENV, SEED_DEMO }: z.output<typeof Variables>): boolean =>
  NODE_ENV !== 'production' || SEED_DEMO !== true;
const NO_DEMO = { path: ['SEED_DEMO'], error: 'production takes no demo data: unset it, or set it to false' };

/** What this folder needs of the environment. */
export const DatabaseConfig = Variables.refine(hasNoDemo, NO_DEMO);

export type DatabaseConfig = z.output<typeof DatabaseConfig>;

/** What the seed needs beside: the first administrator, whom production has to name. */
export const SeedConfig = Variables.extend({
  ADMIN_EMAIL: optional(z.email().max(254).toLowerCase()),
  ADMIN_PASSWORD: optional(z.string().min(12, 'must have at least 12 characters').max(128)),
})
  .refine(hasNoDemo, NO_DEMO)
  .refine(
    ({ ADMIN_EMAIL, ADMIN_PASSWORD }) => (ADMIN_EMAIL === undefined) === (ADMIN_PASSWORD === undefined),
    'ADMIN_EMAIL and ADMIN_PASSWORD go together',
  );

export type SeedConfig = z.output<typeof SeedConfig>;

/** What API and workers need for `startTracing`. */
export const TracingConfig = z.object({
  /** The base address that traces go to (OTLP over HTTP), such as http://localhost:4318; without it none are taken. */
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(z.url({ protocol: /^https?$/ })),
});

/** What API and workers need to know whether payments may be pretended (`db/schema/production.ts`). */
export const PaymentsMode = z.object({
  NODE_ENV: NodeEnvironment,
  /** Whether production may use the sandbox provider and the demo's bank account, to be tried out. */
  ALLOW_SANDBOX_PAYMENTS: optional(z.stringbool()),
});

export type PaymentsMode = z.output<typeof PaymentsMode>;

export const databaseConfig = (): DatabaseConfig => DatabaseConfig.parse(environment());

/** Throws a ZodError that names each variable that will not do. */
export const seedConfig = (): SeedConfig => SeedConfig.parse(environment());
