import type { z } from 'zod';
import { apiConfig } from '../../../api/config';
import { providersConfig, ProvidersConfig } from '../../../activities/providers/config';
import { DatabaseConfig, environment, seedConfig, SeedConfig } from '../../../db/sql/config';
import { policyFrom } from '../../../db/policy/config';
import { configurationFault, ConfigurationError, readVariables } from '../../../db/sql/environment/variables';
import { ApiConfig } from '../../../api/config';
import { workerConfig, WorkerConfig } from '../../../workers/config';
import { testVariables } from '../../support/worlds/variables';

const own = { ...testVariables, DATABASE_URL: 'postgres://a:b@127.0.0.1:5432/c' };

/** The sentences about variables that are wrong. */
function faults(schema: z.ZodType, variables: Record<string, string | undefined>): string[] {
  try {
    readVariables(schema, variables);
    return [];
  } catch (error) {
    return (configurationFault(error) ?? '').split('\n').slice(1, -1);
  }
}

test('a missing variable is named, and where this machine may have it', () => {
  expect(faults(DatabaseConfig, {})).toEqual([
    expect.stringMatching(/^ {2}DATABASE_URL must be set to postgres:.*\.data\/platform\.env/),
  ]);
  expect(faults(ApiConfig, { ...own, JWT_KEYS: undefined })).toEqual(['  JWT_KEYS must be set.']);
});

test.each<[z.ZodType, Record<string, string>, string]>([
  [
    DatabaseConfig,
    { DATABASE_URL: 'mysql://x' },
    'DATABASE_URL must be postgres://user:password@host:port/name.',
  ],
  [
    DatabaseConfig,
    { ...own, DATABASE_OWNER_URL: 'x' },
    'DATABASE_OWNER_URL must be postgres://user:password@host:port/name.',
  ],
  [DatabaseConfig, { ...own, DATABASE_POOL_MAX: 'many' }, 'DATABASE_POOL_MAX must be a number.'],
  [DatabaseConfig, { ...own, DATABASE_POOL_MAX: '1' }, 'DATABASE_POOL_MAX must be at least 2.'],
  [DatabaseConfig, { ...own, DATABASE_POOL_MAX: '2.5' }, 'DATABASE_POOL_MAX must be a whole number.'],
  [DatabaseConfig, { ...own, SEED_DEMO: 'si' }, 'SEED_DEMO must be true or false.'],
  [DatabaseConfig, { ...own, NODE_ENV: 'prod' }, 'NODE_ENV must be one of production, development, test.'],
  [SeedConfig, { ...own, ADMIN_EMAIL: 'a@b.example' }, 'ADMIN_EMAIL and ADMIN_PASSWORD go together.'],
  [ApiConfig, { ...own, METRICS_HOST: 'localhost' }, 'METRICS_HOST must be an IP address.'],
  [ApiConfig, { ...own, PORT: '70000' }, 'PORT must be at most 65535.'],
  [ApiConfig, { ...own, JWT_KEYS: '[{"kid":"x"}]' }, 'JWT_KEYS[0].kty must be one of EC.'],
  [ApiConfig, { ...own, JWT_KEYS: 'secret' }, 'JWT_KEYS must be JSON.'],
  [WorkerConfig, { ...own, WORKER_QUEUES: 'x' }, 'WORKER_QUEUES must name queues of'],
])('a wrong one is said in a sentence that does not repeat its value: %#', (schema, variables, sentence) => {
  const said = faults(schema, variables);
  expect(said[0]).toContain(`  ${sentence}`);
  expect(said.join()).not.toContain('secret');
});

test.each<[string, z.ZodObject, () => unknown]>([
  ['the API', ApiConfig, apiConfig],
  ['what workers call', ProvidersConfig, providersConfig],
  ['workers', WorkerConfig, workerConfig],
  ['migrations and the seed', SeedConfig, seedConfig],
])('an empty one counts as unset: %s', (_name, { shape }, read) => {
  const before = { ...process.env };
  const empty = Object.keys(shape).filter((name) => !(name in own));
  try {
    process.env = { ...own };
    const unset = JSON.stringify(read());
    process.env = { ...own, ...Object.fromEntries(empty.map((name) => [name, ''])) };
    expect(JSON.stringify(read())).toBe(unset);
  } finally {
    process.env = before;
  }
});

test('each rule of the business, too', () => {
  expect(() => policyFrom({ POLICY_CART_DAYS: '0' })).toThrow('POLICY_CART_DAYS must be at least 1.');
});

test('demo secrets in production are a fault of the configuration', () => {
  const earlier = environment();
  try {
    Object.assign(process.env, own, { NODE_ENV: 'production', SANDBOX_SECRET: 'demo-x' });
    expect(() => apiConfig()).toThrow(ConfigurationError);
  } finally {
    for (const name of ['NODE_ENV', 'SANDBOX_SECRET']) process.env[name] = earlier[name];
  }
});
