import { execute } from '../../../db/sql/query';
import { topUpProcess } from '../../../workflows/ledger/top-up/top-up.contract';
import { topUp } from '../../support/builders/wallets/top-ups';
import { ownWorld } from '../../support/worlds/world';
import { one, violationsAfter, violationsWhileRunning } from '../violations';

const world = ownWorld({ worker: false });

test('processes.drive-open-rows: a top-up that waits for its payment, without a process', async () => {
  const { id } = await topUp(world.db);
  const broken = await violationsAfter(
    world,
    `UPDATE top_ups SET created_at = now() - interval '1 hour' WHERE id = $1`,
    [id],
  );
  expect(broken).toEqual(
    one('processes.drive-open-rows', id, /^top_ups .+ is PENDING_PAYMENT, but top-up:.+ does not run/),
  );
  await execute(
    world.db,
    `UPDATE top_ups SET status = 'CANCELLED', payment_status = 'FAILED', ended_at = now() WHERE id = $1`,
    [id],
  );
});

test('processes.end-with-their-rows: the process of a top-up that is cancelled', async () => {
  const { id, userId } = await topUp(world.db);
  await execute(
    world.db,
    `UPDATE top_ups SET status = 'CANCELLED', payment_status = 'FAILED', ended_at = now() - interval '1 hour' WHERE id = $1`,
    [id],
  );
  const broken = await violationsWhileRunning(world, topUpProcess, { topUpId: id, userId });
  expect(broken).toEqual(
    one('processes.end-with-their-rows', id, /^top-up:.+ still runs: top_ups .+ is CANCELLED/),
  );
});
