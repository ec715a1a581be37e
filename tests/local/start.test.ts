import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readLocalConfig } from '../../local/config';
import { isNodeError, isPostgresError, isTemporalError } from '../../local/processes/logs';
import { freePort } from '../../local/machine/ports';
import { BUILT, checkPorts, choosePostgresPort } from '../../local/machine/preflight';

const root = path.resolve(__dirname, '../..');

const occupied = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, release: () => server.close() };
};

/** Free ports, so that other running programs don't matter. */
const freePorts = async () => {
  const names = [
    'PORT',
    'METRICS_PORT',
    'WORKER_METRICS_PORT',
    'WORKER_HEALTH_PORT',
    'TEMPORAL_PORT',
    'TEMPORAL_UI_PORT',
  ];
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, String(await freePort())])));
};

describe('ports', () => {
  it('that are free are accepted', async () => {
    await expect(checkPorts(readLocalConfig(await freePorts()))).resolves.toBeUndefined();
  });

  it('that are taken are all named, with their variables', async () => {
    const [api, temporal] = [await occupied(), await occupied()];
    const env = { ...(await freePorts()), PORT: String(api.port), TEMPORAL_PORT: String(temporal.port) };
    const refusal = await checkPorts(readLocalConfig(env)).catch(String);
    expect(refusal).toContain(`Port ${String(api.port)} for the API is taken`);
    expect(refusal).toContain(`Port ${String(temporal.port)} for Temporal's server is taken`);
    expect(refusal).toContain('set TEMPORAL_PORT');
    const elsewhere = { ...env, PORT: String(await freePort()), TEMPORAL_ADDRESS: 'temporal.example:7233' };
    await expect(checkPorts(readLocalConfig(elsewhere))).resolves.toBeUndefined();
    api.release();
    temporal.release();
  });

  it('that are meant for two things are refused', async () => {
    const env = await freePorts();
    const same = readLocalConfig({ ...env, METRICS_PORT: env['PORT'] });
    await expect(checkPorts(same)).rejects.toThrow('METRICS_PORT and PORT are both');
  });

  it('for PostgreSQL: the one asked for', async () => {
    expect(await choosePostgresPort(readLocalConfig({ PG_PORT: '55000' }))).toBe(55_000);
  });
});

it('every program that is started is built from a source file', () => {
  const sources = Object.values(BUILT).map((file) => file.replace(/\.js$/, '.ts'));
  expect(sources.filter((file) => !existsSync(file))).toEqual([]);
});

describe('the configuration', () => {
  it('counts an empty variable as unset', () => {
    expect(readLocalConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ PORT: 3000 });
  });

  it('names every variable that is wrong', () => {
    expect(() => readLocalConfig({ PORT: '0', DATABASE_URL: 'mysql://x' })).toThrow(
      /DATABASE_URL must be [^]*PORT must be at least 1/,
    );
  });

  it('in production demands real servers and own secrets', () => {
    const demo = { NODE_ENV: 'production', JWT_KEYS: '[{"kid": "demo-1"}]', SANDBOX_SECRET: 'demo-own' };
    expect(() => readLocalConfig(demo)).toThrow(
      /DATABASE_URL must name a real server[^]*TEMPORAL_ADDRESS must[^]*JWT_KEYS holds a demo secret[^]*SANDBOX_SECRET holds/,
    );
    const own = {
      NODE_ENV: 'production',
      DATABASE_URL: 'postgres://a:b@db:5432/c',
      TEMPORAL_ADDRESS: 'temporal:7233',
      JWT_KEYS: '[]',
      SANDBOX_SECRET: 'whsec_own',
      SEALING_KEYS: 'own:own',
    };
    expect(readLocalConfig(own).NODE_ENV).toBe('production');
  });

  describe('for Temporal by TLS', () => {
    const secured = { TEMPORAL_API_KEY: 'k-1', TEMPORAL_NAMESPACE: 'shop.a1b2c' };

    it('is that of the server of TEMPORAL_ADDRESS', () => {
      const { temporalServer, env } = readLocalConfig({ ...secured, TEMPORAL_ADDRESS: 'cloud.example:7233' });
      expect(temporalServer).toEqual({ address: 'cloud.example:7233', tls: {}, apiKey: 'k-1' });
      expect(env).toMatchObject(secured);
    });

    it('is read at once: a file that is not there is refused', () => {
      const env = { TEMPORAL_ADDRESS: 'cloud.example:7233', TEMPORAL_TLS_CA: '/nowhere.pem' };
      expect(() => readLocalConfig(env)).toThrow('TEMPORAL_TLS_CA must name a file that can be read');
    });

    it('is refused for the server that is started here', () => {
      const env = { ...secured, TEMPORAL_TLS: 'true', TEMPORAL_TLS_CA: '/nowhere.pem', TEMPORAL_ADDRESS: '' };
      expect(() => readLocalConfig(env)).toThrow(
        'For a Temporal server of your own, which TEMPORAL_ADDRESS must name: ' +
          'TEMPORAL_TLS, TEMPORAL_TLS_CA, TEMPORAL_API_KEY, TEMPORAL_NAMESPACE. Unset them',
      );
      const harmless = { TEMPORAL_TLS: 'false', TEMPORAL_NAMESPACE: 'default', TEMPORAL_API_KEY: '' };
      expect(readLocalConfig(harmless).temporalServer).toBeUndefined();
    });
  });
});

it('.env.example has every variable that a config.ts reads, once', () => {
  const example = readFileSync(path.join(root, '.env.example'), 'utf8');
  const listed = [...example.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map((match) => match[1]);
  const layers = ['api', 'activities', 'db', 'local', 'workers'];
  const configs = layers.flatMap((layer) =>
    readdirSync(path.join(root, layer), { recursive: true, encoding: 'utf8' })
      .filter((file) => path.basename(file) === 'config.ts')
      .map((file) => path.join(root, layer, file)),
  );
  const read = configs.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^\s+([A-Z][A-Z0-9_]+): /gm)].map((match) => match[1]),
  );
  expect(configs.length).toBeGreaterThan(1);
  // Variables of the system, which are not set for this program.
  const systems = new Set(['PATH', 'TMPDIR']);
  expect([...new Set(read)].filter((name) => !systems.has(String(name)) && !listed.includes(name))).toEqual(
    [],
  );
  expect(new Set(listed).size).toBe(listed.length);
});

describe('of what the parts log, the terminal shows', () => {
  it.each([
    ['{"level":"error","msg":"failed"}', 'stdout', true],
    ['{"level":"info","msg":"served"}', 'stderr', false],
    ['Error: no JSON yet', 'stderr', true],
    ['plain words', 'stdout', false],
  ] as const)('of our programs %s (%s): %s', (line, stream, shown) => {
    expect(isNodeError(line, stream)).toBe(shown);
  });

  it.each([
    ['FATAL:  out of memory', true],
    ['ERROR:  duplicate key value', false],
    ['LOG:  checkpoint complete', false],
  ])('of PostgreSQL %s: %s', (line, shown) => {
    expect(isPostgresError(line, 'stderr')).toBe(shown);
  });

  it.each([
    ['time=x level=ERROR msg="unavailable"', true],
    ['time=x level=WARN msg="network dial error"', false],
  ])('of Temporal %s: %s', (line, shown) => {
    expect(isTemporalError(line, 'stdout')).toBe(shown);
  });
});
