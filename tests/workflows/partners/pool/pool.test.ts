import { rows } from '../../../../db/sql/query';
import { startOptions } from '../../../../workflows/kit/process';
import {
  poolPeriodAt,
  poolPeriodNamed,
  type PoolKind,
  type PoolPeriod,
} from '../../../../workflows/partners/pool/pool-period.rules';
import { poolProcess, type PoolInput } from '../../../../workflows/partners/pool/pool.contract';
import { startProcesses } from '../../../../workers/start';
import { partnerSale, takeEvents } from '../../../support/builders/make/partners/partner-sales';
import { qualifiedLeader } from '../../../support/builders/make/partners/pool-runs';
import { make } from '../../../support/builders/make';
import { keepHistory } from '../../../support/checks/histories';
import { ownWorld } from '../../../support/worlds/world';

const world = ownWorld({ queues: ['interactive', 'batch', 'long'] });

const named = (kind: PoolKind, period: string): PoolPeriod => {
  const found = poolPeriodNamed(kind, period);
  if (!found) throw new Error(period);
  return found;
};

const handleOf = (pool: PoolInput) => world.temporal.workflow.getHandle(poolProcess.id(pool));
const start = (pool: PoolInput) => startProcesses(world.temporal)(poolProcess, pool);
const sharesOf = (period: string) =>
  rows<{ userId: string; amountMinor: number }>(
    world.db,
    `SELECT p.user_id, s.amount_minor FROM pool_shares s JOIN pool_runs r ON r.id = s.run_id
       JOIN partners p ON p.id = s.partner_id WHERE r.period = $1 AND s.paid_at IS NOT NULL`,
    [period],
  );
const availableOf = async (userId: string) =>
  (
    await rows<{ balanceMinor: number }>(
      world.db,
      `SELECT balance_minor FROM ledger_balances WHERE user_id = $1 AND account = 'partner_available'`,
      [userId],
    )
  )[0]?.balanceMinor;

test('a share is paid, booked and mailed once, after two starts at once and a third', async () => {
  const { db } = world;
  const pool: PoolInput = { kind: 'WEEKLY', period: '2026-W20' };
  const leader = await qualifiedLeader(db, named(pool.kind, pool.period));
  await takeEvents(db);
  await Promise.all([start(pool), start(pool)]);
  expect(await handleOf(pool).result()).toEqual({ status: 'COMPLETED', participants: 1 });
  await keepHistory(handleOf(pool), 'completed');
  await start(pool);
  expect(await handleOf(pool).result()).toEqual({ status: 'COMPLETED', participants: 1 });

  // One per cent of 3,500.
  expect(await sharesOf(pool.period)).toEqual([{ userId: leader.userId, amountMinor: 35_00 }]);
  expect(await availableOf(leader.userId)).toBe(35_00);
  const commissions = await rows(
    db,
    'SELECT type, source_type, level, status, net_minor FROM partner_commissions WHERE partner_id = $1',
    [leader.id],
  );
  expect(commissions).toEqual([
    { type: 7, sourceType: 'BONUS', level: 0, status: 'APPROVED', netMinor: 35_00 },
  ]);
  const [standing] = await rows(db, 'SELECT earned_minor FROM partner_standings WHERE partner_id = $1', [
    leader.id,
  ]);
  expect(standing).toEqual({ earnedMinor: 35_00 });
  const mails = `SELECT 1 FROM outbox_messages WHERE reference LIKE 'pool-share:%'`;
  expect(await rows(db, mails)).toHaveLength(1);
});

test('a period that was missed is run by hand, by its name, and no other is touched', async () => {
  const { db } = world;
  const [missed, later] = ['2026-W40', '2026-W41'] as const;
  const leader = await qualifiedLeader(db, named('WEEKLY', missed));
  const other = await qualifiedLeader(db, named('WEEKLY', later));
  await takeEvents(db);
  const handle = await world.temporal.workflow.start(
    poolProcess.type,
    startOptions(poolProcess, { kind: 'WEEKLY', period: missed }),
  );
  expect(handle.workflowId).toBe('pool:weekly:2026-W40');
  expect(await handle.result()).toEqual({ status: 'COMPLETED', participants: 1 });
  expect(await sharesOf(missed)).toEqual([{ userId: leader.userId, amountMinor: 35_00 }]);
  expect(await availableOf(other.userId)).toBeUndefined();
  expect(await rows(db, 'SELECT 1 FROM pool_runs WHERE period = $1', [later])).toEqual([]);
});

test('a month in which nobody takes part has its run, and nothing is posted', async () => {
  const { db } = world;
  const pool: PoolInput = { kind: 'MONTHLY', period: '2024-02' };
  const { id: userId } = await make.user(db);
  const { startsAt, endsAt } = named(pool.kind, pool.period);
  await partnerSale(db, { userId, baseMinor: 100_000_00, at: new Date(endsAt.getTime() - 1) });
  await partnerSale(db, { userId, baseMinor: 7_00, at: endsAt });
  await partnerSale(db, { userId, baseMinor: -1_00, kind: 'REFUND', at: startsAt });
  await takeEvents(db);
  await start(pool);
  expect(await handleOf(pool).result()).toEqual({ status: 'COMPLETED', participants: 0 });
  const [run] = await rows(
    db,
    `SELECT base_minor, pool_minor, distributed_minor FROM pool_runs WHERE period = $1`,
    [pool.period],
  );
  expect(run).toEqual({ baseMinor: 99_999_00, poolMinor: 1_999_98, distributedMinor: 0 });
  const transfers = `SELECT 1 FROM ledger_transfers WHERE kind = 'pool-fund' AND subject_id = 'monthly:${pool.period}'`;
  expect(await rows(db, transfers)).toEqual([]);
});

test('a month pays two per cent to who has volume enough for a month, and nothing to who has it for a week', async () => {
  const { db } = world;
  const pool: PoolInput = { kind: 'MONTHLY', period: '2024-05' };
  const period = named(pool.kind, pool.period);
  // Q is the whole volume of two legs of one size: at the threshold of 5,000, and below it.
  const above = await qualifiedLeader(db, period, 2_500_00);
  const below = await qualifiedLeader(db, period, 2_499_99);
  await takeEvents(db);
  await start(pool);
  expect(await handleOf(pool).result()).toEqual({ status: 'COMPLETED', participants: 1 });
  // Of the 9,999.98 of the whole platform, rounded half up.
  expect(await sharesOf(pool.period)).toEqual([{ userId: above.userId, amountMinor: 200_00 }]);
  expect(await availableOf(above.userId)).toBe(200_00);
  expect(await availableOf(below.userId)).toBeUndefined();
});

test.each([
  [{ kind: 'WEEKLY', period: '2026-W99' }],
  [{ kind: 'MONTHLY', period: poolPeriodAt('MONTHLY', new Date()).period }],
] as const)('%p is refused for good', async (pool) => {
  await start(pool);
  await expect(handleOf(pool).result()).rejects.toThrow();
  expect(await rows(world.db, 'SELECT 1 FROM pool_runs WHERE period = $1', [pool.period])).toEqual([]);
});
