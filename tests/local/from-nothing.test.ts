import path from 'node:path';
import { Machine, type LaunchedWorld } from '../support/worlds/launched-world';
import { useScratch } from './scratch';

const scratch = useScratch();
let running: LaunchedWorld | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

test('an empty data directory becomes a platform with demo data, which is the same after a stop and a start', async () => {
  const machine = await Machine.at(path.join(scratch(), 'data'), { SEED_DEMO: 'true' });
  const shown = async ({ http }: LaunchedWorld) => {
    const { status, body } = await http.get('/api/v1/products?sortBy=name');
    expect(status).toBe(200);
    return body.data as { products: { id: string }[]; pagination: { total: number } };
  };
  running = await machine.start();
  const first = await shown(running);
  expect(first.products.length).toBeGreaterThan(0);
  expect(await machine.invariants()).toMatchObject({ code: 0 });

  await running.stop();
  running = undefined;
  running = await machine.start();
  expect(await shown(running)).toEqual(first);
});
