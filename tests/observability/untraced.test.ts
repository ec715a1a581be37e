import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provided } from '../support/run/provided';
import { startKillingWorld } from '../support/worlds/killing-world';
import { make } from '../support/builders/make';
import { shopper } from '../support/builders/shop';

interface Loaded {
  modules: string[];
  connections: string[];
}

let programs: Loaded[];
beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'spy-'));
  const spy = `--require ${join(__dirname, 'connections-and-modules.cjs')}`;
  const world = await startKillingWorld({ variables: { NODE_OPTIONS: spy, SPY_DIR: dir } });
  try {
    const product = await make.product(world.db, { stock: 1 });
    await (await shopper(world, [{ productId: product.id }])).order();
    await fetch(`${world.workerUrl}/metrics`);
    await world.api.end('SIGTERM');
    await world.worker.end('SIGTERM');
    const files = await readdir(dir);
    programs = await Promise.all(
      files.map(async (file) => JSON.parse(await readFile(join(dir, file), 'utf8')) as Loaded),
    );
  } finally {
    await world.teardown();
    await rm(dir, { recursive: true, force: true });
  }
});

it('without an endpoint nothing of OpenTelemetry is loaded', () => {
  expect(
    programs.filter(({ modules }) => modules.some((path) => path.endsWith('/api/main.js'))),
  ).toHaveLength(1);
  expect(
    programs.filter(({ modules }) => modules.some((path) => path.endsWith('/workers/main.js'))),
  ).toHaveLength(1);
  // prom-client depends on the API package only.
  const loaded = programs.flatMap(({ modules }) =>
    modules.filter((path) => /opentelemetry(?!\/api\/)/.test(path)),
  );
  expect(loaded).toEqual([]);
});

it('and connections go to PostgreSQL and Temporal only', () => {
  const ours = [new URL(provided('TEST_POSTGRES_URL')).port, provided('TEST_TEMPORAL_ADDRESS').split(':')[1]];
  const elsewhere = programs.flatMap(({ connections }) => connections.filter((port) => !ours.includes(port)));
  expect(programs.some(({ connections }) => connections.length > 0)).toBe(true);
  expect(elsewhere).toEqual([]);
});
