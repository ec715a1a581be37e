import { execute } from '../../../db/sql/query';
import { drivenRows } from '../../../workers/checks/driven-rows';
import { rowWindows } from '../../../workers/checks/row-windows';
import { make } from '../../support/builders/make';
import { startWorld, type World } from '../../support/worlds/world';
import { noGrace, one, violationsAfter } from '../violations';

let world: World;
beforeAll(async () => {
  world = await startWorld({ worker: false });
});
afterAll(() => world.teardown());

const twoHoursAgo = (): Date => new Date(Date.now() - 2 * 3_600_000);

/** The violations of a two-hour check, for a user whose suspension began that long ago and has no process. */
async function violationsOfSuspension(age: string, recheck: (id: string) => string[] = () => []) {
  const { id } = await make.user(world.db);
  const broken = await violationsAfter(
    world,
    `UPDATE users SET status = 'SUSPENDED', suspended_at = now() - $2::interval, suspended_until = now()
      WHERE id = $1`,
    [id, age],
    { ...noGrace, since: twoHoursAgo(), recheck: recheck(id) },
  );
  return { id, broken };
}

test('rows that changed in the last two hours are checked', async () => {
  const { id, broken } = await violationsOfSuspension('1 hour');
  expect(broken).toEqual(one('processes.drive-open-rows', id, /suspension:.+ does not run/));
});

test('rows that changed earlier are left to the full check', async () => {
  expect((await violationsOfSuspension('3 hours')).broken).toEqual([]);
});

test('violations of the last check are checked again at any age', async () => {
  const { id, broken } = await violationsOfSuspension('3 hours', (found) => [found, 'no id']);
  expect(broken).toEqual(one('processes.drive-open-rows', id, /suspension:.+ does not run/));
});

test('many rows with the same time come in windows, each row once', async () => {
  await execute(
    world.db,
    `INSERT INTO webhook_events (id, provider, external_event_id, type, body, body_hash, status, received_at, started_at)
     SELECT gen_random_uuid(), 'sandbox', 'window-' || n, 'x', '{}', '', 'RECEIVED', now(),
       date_trunc('day', now()) - interval '1 day'
     FROM generate_series(1, 1203) n`,
  );
  const driven = drivenRows.find(({ type }) => type === 'paymentEvent')!;
  const sizes: number[] = [];
  const entities = new Set<string>();
  for await (const window of rowWindows(world.db, driven, { state: 'open', graceSeconds: 0, since: null })) {
    sizes.push(window.length);
    for (const { entity } of window) entities.add(entity);
  }
  expect(sizes).toEqual([500, 500, 203]);
  expect(entities.size).toBe(1_203);
});
