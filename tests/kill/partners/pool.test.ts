import { execute, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { startOptions } from '../../../workflows/kit/process';
import { poolPeriodNamed, type PoolPeriod } from '../../../workflows/partners/pool/pool-period.rules';
import { poolProcess, type PoolInput } from '../../../workflows/partners/pool/pool.contract';
import { takeEvents } from '../../support/builders/make/partners/partner-sales';
import { qualifiedLeader } from '../../support/builders/make/partners/pool-runs';
import { eventually } from '../../support/checks/eventually';
import { violations } from '../../support/checks/violations';
import { ownKillingWorld } from '../../support/worlds/killing-world';

const LEADERS = 12;

const world = ownKillingWorld({ variables: { POLICY_POOL_BATCH: '2' } });

const someoneWaits = (): Promise<void> =>
  eventually(async () => {
    const waiting = await rows(
      world.db,
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(waiting.length).toBeGreaterThan(0);
  });

async function killedWhile(lock: string, killed: 'worker' | 'PostgreSQL', input: PoolInput): Promise<void> {
  await inTransaction(world.owner, async (tx) => {
    await execute(tx, lock);
    await world.temporal.workflow.start(poolProcess.type, startOptions(poolProcess, input));
    await someoneWaits();
    if (killed === 'worker') await world.worker.kill();
    else
      await execute(
        world.owner,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
  });
  if (killed === 'worker') await world.worker.start();
}

it.each([
  [
    '2026-W10',
    'the worker, killed between the count and its money',
    'LOCK TABLE ledger_transfers IN SHARE MODE',
    'worker',
  ],
  [
    '2026-W11',
    'the worker, killed between shares and their mails',
    'LOCK TABLE outbox_messages IN SHARE MODE',
    'worker',
  ],
  [
    '2026-W12',
    'PostgreSQL, lost between a commission and its money',
    'LOCK TABLE partner_standings IN SHARE MODE',
    'PostgreSQL',
  ],
  ['2026-W13', 'PostgreSQL, lost while it counts', 'LOCK TABLE pool_shares IN SHARE MODE', 'PostgreSQL'],
] as const)('%s: %s: every share is paid once', async (period, _, lock, killed) => {
  const { db } = world;
  const input: PoolInput = { kind: 'WEEKLY', period };
  const week = poolPeriodNamed('WEEKLY', period) as PoolPeriod;
  const leaders = [];
  for (let n = 0; n < LEADERS; n++) leaders.push(await qualifiedLeader(db, week));
  await takeEvents(db);
  await killedWhile(lock, killed, input);
  const handle = world.temporal.workflow.getHandle(poolProcess.id(input));
  expect(await handle.result()).toEqual({ status: 'COMPLETED', participants: LEADERS });

  // One per cent of twelve times 3,500, in equal parts.
  const balances = await rows<{ balanceMinor: number }>(
    db,
    `SELECT balance_minor FROM ledger_balances WHERE account = 'partner_available' AND user_id = ANY($1::uuid[])`,
    [leaders.map(({ userId }) => userId)],
  );
  expect(balances.map(({ balanceMinor }) => balanceMinor)).toEqual(leaders.map(() => 35_00));
  const runs = await rows(db, 'SELECT distributed_minor FROM pool_runs WHERE period = $1', [period]);
  expect(runs).toEqual([{ distributedMinor: LEADERS * 35_00 }]);
  const pools = (await violations(db)).filter((line) => /^(ledger|pools)/.test(line));
  expect(pools).toEqual([]);
});
