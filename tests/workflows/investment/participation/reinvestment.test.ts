import { execute, firstRow } from '../../../../db/sql/query';
import { participationProcess } from '../../../../workflows/investment/participation/participation.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { participationState, walletMinor } from '../../../support/builders/investing/investors';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { ownCheckedSkippingWorld } from '../../../support/worlds/skipping-world';
import { earns, holds, processOf, successorOf, type Held } from './participations';

const world = ownCheckedSkippingWorld({ queues: ['interactive', ...PROVIDER_QUEUES] });

const TERM = '91 days';
const AMOUNT = 1_000_00;

/** The participation that follows after one term. Its process is started anew, without a parent: see `patient`. */
async function next(participationId: string, userId: string) {
  await world.sleep(TERM);
  await eventually(async () =>
    expect(await participationState(world.db, participationId)).toMatchObject({ status: 'MATURED' }),
  );
  const successor = await successorOf(world.db, participationId);
  if (!successor) return null;
  const process = processOf(world, successor.id);
  await eventually(async () => expect((await process.describe()).status.name).toBe('RUNNING'));
  await process.terminate();
  await world.processes.start(participationProcess, { participationId: successor.id, userId, exists: true });
  return successor;
}

const mailOf = (participationId: string) =>
  firstRow(
    world.db,
    `SELECT 1 FROM outbox_messages WHERE reference = 'participation:' || $1::text || ':matured'`,
    [participationId],
  );

/** A participation of 1,000 USD that is invested again at its maturity, and what it has earned by then. */
async function reinvesting(
  options: Partial<Parameters<typeof holds>[1]> & { strategyId: string },
  earned = 20_00,
) {
  const held = await holds(world, { autoReinvest: true, ...options });
  if (earned !== 0) await earns(world.db, held.participationId, earned, await world.now());
  return held;
}

/** Nothing follows: all of it is in the wallet. */
async function paysOut({ participationId, userId }: Held, earned = 20_00): Promise<void> {
  expect(await next(participationId, userId)).toBeNull();
  expect(await walletMinor(world.db, userId)).toBe(50_000_00 + earned);
  expect(await mailOf(participationId)).not.toBeNull();
}

test('with compounding each of three terms begins with all that the last one left, until the strategy pauses', async () => {
  const { id: strategyId } = await make.strategy(world.db, { totalCapacityMinor: 1_100_00 });
  const held = await reinvesting({ strategyId, compounding: true });
  const { userId } = held;
  const second = (await next(held.participationId, userId))!;
  expect(second).toMatchObject({ status: 'ACTIVE', amountMinor: 1_020_00 });
  await keepHistory(held.process, 'reinvested');
  await earns(world.db, second.id, 30_00, await world.now());
  const third = (await next(second.id, userId))!;
  expect(third).toMatchObject({ status: 'ACTIVE', amountMinor: 1_050_00 });
  await execute(world.db, `UPDATE investment_strategies SET status = 'PAUSED' WHERE id = $1`, [strategyId]);
  expect(await next(third.id, userId)).toBeNull();
  expect(await walletMinor(world.db, userId)).toBe(50_050_00);
  expect(await participationState(world.db, second.id)).toEqual({
    ...{ status: 'MATURED', paymentStatus: 'PAID', amountMinor: 1_020_00, earnedMinor: 30_00 },
    transactions: ['DEPOSIT 102000', 'PROFIT 3000', 'WITHDRAWAL 105000'],
    ledger: expect.arrayContaining(['investments -105000', 'investments 105000']),
    mails: ['matured'],
    events: ['investment.created', 'profit.distributed'],
  });
  const counted = await firstRow(
    world.db,
    `SELECT reserved_minor, active_participations, total_participants, total_invested_minor
     FROM investment_strategies WHERE id = $1`,
    [strategyId],
  );
  expect(counted).toEqual({
    ...{ reservedMinor: 0, activeParticipations: 0, totalParticipants: 1 },
    totalInvestedMinor: 1_000_00 + 1_020_00 + 1_050_00,
  });
});

test('without compounding the returns go to the wallet; a loss leaves less for the next term', async () => {
  const { id: strategyId } = await make.strategy(world.db);
  const held = await reinvesting({ strategyId });
  const second = (await next(held.participationId, held.userId))!;
  expect(second.amountMinor).toBe(AMOUNT);
  expect(await walletMinor(world.db, held.userId)).toBe(49_020_00);
  await earns(world.db, second.id, -100_00, await world.now());
  const third = (await next(second.id, held.userId))!;
  expect(third.amountMinor).toBe(900_00);
  await execute(world.db, 'UPDATE participations SET auto_reinvest = false WHERE id = $1', [third.id]);
  expect(await walletMinor(world.db, held.userId)).toBe(49_020_00);
});

test.each([
  ['its strategy no longer reinvests', 'automatic_reinvestment = false'],
  ['its amount is too small for the strategy now', 'min_minor = 200000'],
  ['its amount is too large for the strategy now', 'max_minor = 90000, min_minor = 1'],
  ['the strategy no longer offers its duration', 'min_days = 100'],
  ['the strategy is closed', `status = 'CLOSED'`],
])('all goes to the wallet where %s', async (_, change) => {
  const { id: strategyId } = await make.strategy(world.db);
  const held = await reinvesting({ strategyId });
  await execute(world.db, `UPDATE investment_strategies SET ${change} WHERE id = $1`, [strategyId]);
  await paysOut(held);
});

test('all goes to the wallet where the level has run out, or the account is suspended', async () => {
  const { id: strategyId } = await make.strategy(world.db);
  const [lapsed, suspended] = [await reinvesting({ strategyId }), await reinvesting({ strategyId })];
  await execute(world.db, `UPDATE users SET status = 'SUSPENDED', suspended_at = now() WHERE id = $1`, [
    suspended.userId,
  ]);
  await execute(
    world.db,
    `UPDATE kyc_verifications SET expires_at = now() - interval '1 second' WHERE user_id = $1`,
    [lapsed.userId],
  );
  await paysOut(lapsed);
  await execute(
    world.db,
    `UPDATE kyc_verifications SET expires_at = now() + interval '1 year' WHERE user_id = $1`,
    [lapsed.userId],
  );
  expect(await successorOf(world.db, suspended.participationId)).toBeNull();
  expect(await walletMinor(world.db, suspended.userId)).toBe(50_020_00);
});

test('all goes to the wallet where the larger amount has no capacity; the same amount has its own', async () => {
  const { id: strategyId } = await make.strategy(world.db, { totalCapacityMinor: 2_000_00 });
  const [compounded, same] = [
    await reinvesting({ strategyId, compounding: true }),
    await reinvesting({ strategyId, autoReinvest: true }),
  ];
  expect(await next(compounded.participationId, compounded.userId)).toBeNull();
  expect(await walletMinor(world.db, compounded.userId)).toBe(50_020_00);
  expect(await successorOf(world.db, same.participationId)).toMatchObject({ amountMinor: AMOUNT });
});
