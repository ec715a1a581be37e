import { randomUUID } from 'node:crypto';
import { retentionProcess } from '../../../workflows/administration/retention.contract';
import { execute, firstRow } from '../../../db/sql';
import { make } from '../../support/make';
import { startWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.teardown());

const count = async (table: string): Promise<number> =>
  (await firstRow<{ n: number }>(world.db, `SELECT count(*)::int AS n FROM ${table}`))?.n ?? -1;

it('forgets what is over its time, and nothing else', async () => {
  const [old, young] = [await make.user(world.db), await make.user(world.db)];
  for (const [user, age] of [
    [old, '91 days'],
    [young, '89 days'],
  ] as const) {
    await make.cart(world.db, user.id, []);
    await execute(world.db, `UPDATE carts SET updated_at = now() - $2::interval WHERE user_id = $1`, [
      user.id,
      age,
    ]);
  }
  for (const age of ['31 days', '29 days'])
    await execute(
      world.db,
      `INSERT INTO sessions (id, user_id, ip_address, created_at, last_active_at, expires_at)
       VALUES ($1, $2, '::1', now() - interval '40 days', now() - interval '40 days', now() - $3::interval)`,
      [randomUUID(), old.id, age],
    );
  for (const age of ['25 hours', '23 hours'])
    await execute(
      world.db,
      `INSERT INTO idempotency_keys (owner, route, key, body_hash, state, claimed_at, created_at)
       VALUES ('x', 'POST /x', $1, 'h', 'OPEN', now(), now() - $2::interval)`,
      [randomUUID(), age],
    );

  for (const [transaction, age] of [
    [1, '61 minutes'],
    [2, '59 minutes'],
  ] as const)
    await execute(
      world.db,
      `INSERT INTO catalogue_changes (transaction_id, tags, changed_at) VALUES ($1, '{all}', now() - $2::interval)`,
      [transaction, age],
    );

  const process = await world.temporal.workflow.start(retentionProcess.type, {
    workflowId: retentionProcess.id({}),
    taskQueue: retentionProcess.queue,
    args: [{}],
  });

  expect(await process.result()).toEqual({ idempotencyKeys: 1, sessions: 1, carts: 1, catalogueChanges: 1 });
  expect([await count('carts'), await count('sessions'), await count('idempotency_keys')]).toEqual([1, 1, 1]);
});
