import { execute } from '../../../db/sql/query';
import { drivenRows } from '../../../workers/checks/driven-rows';
import { rowWindows } from '../../../workers/checks/row-windows';
import { make } from '../../support/builders/make';
import { startWorld, type World } from '../../support/worlds/world';
import { impatient, one, seenAfter } from '../seen';

let world: World;
beforeAll(async () => {
  world = await startWorld({ worker: false });
});
afterAll(() => world.teardown());

const twoHoursAgo = (): Date => new Date(Date.now() - 2 * 3_600_000);

/** What a check finds that looks at the last two hours, when a user was suspended so long ago and nothing ends it. */
async function seenOfSuspension(age: string, recheck: (id: string) => string[] = () => []) {
  const { id } = await make.user(world.db);
  const broken = await seenAfter(
    world,
    `UPDATE users SET status = 'SUSPENDED', suspended_at = now() - $2::interval, suspended_until = now()
      WHERE id = $1`,
    [id, age],
    { ...impatient, since: twoHoursAgo(), recheck: recheck(id) },
  );
  return { id, broken };
}

test('what changed in the last two hours is looked at', async () => {
  const { id, broken } = await seenOfSuspension('1 hour');
  expect(broken).toEqual(one('processes.drive-open-rows', id, /suspension:.+ does not run/));
});

test('what changed before is left to the check of everything', async () => {
  expect((await seenOfSuspension('3 hours')).broken).toEqual([]);
});

test('what the last check found broken is looked at again, however old it is', async () => {
  const { id, broken } = await seenOfSuspension('3 hours', (found) => [found, 'no id']);
  expect(broken).toEqual(one('processes.drive-open-rows', id, /suspension:.+ does not run/));
});

test('many rows of one moment come in windows, each row once', async () => {
  await execute(
    world.db,
    `INSERT INTO webhook_events (id, provider, external_event_id, type, body, body_hash, status, received_at, started_at)
     SELECT gen_random_uuid(), 'sandbox', 'window-' || n, 'x', '{}', '', 'RECEIVED', now(),
       date_trunc('day', now()) - interval '1 day'
     FROM generate_series(1, 1203) n`,
  );
  const driven = drivenRows.find(({ type }) => type === 'paymentEvent')!;
  const sizes: number[] = [];
  const seen = new Set<string>();
  for await (const window of rowWindows(world.db, driven, { state: 'open', graceSeconds: 0, since: null })) {
    sizes.push(window.length);
    for (const { entity } of window) seen.add(entity);
  }
  expect(sizes).toEqual([500, 500, 203]);
  expect(seen.size).toBe(1_203);
});
