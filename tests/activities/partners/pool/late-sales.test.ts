import { countPool } from '../../../../activities/partners/pool/count-pool';
import { poolActivities } from '../../../../activities/partners/pool/pool.activities';
import { lateSalesMinor } from '../../../../db/partners/pool/pool-sales.reads';
import { policyFrom } from '../../../../db/policy/config';
import { execute } from '../../../../db/sql/query';
import {
  poolPeriodNamed,
  type PoolKind,
  type PoolPeriod,
} from '../../../../workflows/partners/pool/pool-period.rules';
import { make } from '../../../support/builders/make';
import { partnerSale, soldEvent, takeEvents } from '../../../support/builders/make/partners/partner-sales';
import { qualifiedLeader } from '../../../support/builders/make/partners/pool-runs';
import { people, soldOrder, soldOrderRefund } from '../../../support/builders/partnering/sold-orders';
import { takeAllEvents } from '../../../support/checks/take-events';
import { ownDatabase } from '../../../support/servers/database';
import { baseMinorOf, period, poolViolations, runPool, sharesOfRun } from './pools';

const own = ownDatabase();
const week = period('WEEKLY', '2026-W20');
/** The last moment of the week. */
const atEnd = new Date(week.endsAt.getTime() - 1);

const baseOf = (runId: string) => baseMinorOf(own.db, runId);

const counting = (of: PoolPeriod) => countPool(own.db, new AbortController().signal, of);

/** A paid order of a referred buyer that the engine counts. */
async function sold(goodsMinor: number, paidAt: Date) {
  const [buyerId] = await people(own.db, [(await make.partner(own.db)).id]);
  const order = await soldOrder(own.db, { buyerId: buyerId!, lines: [{ goodsMinor }], paidAt });
  await takeAllEvents(own.db);
  return { buyerId: buyerId!, order };
}

test('sales that are announced after the count are late: of the period alone, less refunds of the period', async () => {
  const { db } = own;
  await sold(100_00, week.startsAt);
  await sold(7_00, atEnd);
  const runId = await runPool(db, 'WEEKLY', week.period);
  expect(await baseOf(runId)).toBe(107_00);
  expect(await lateSalesMinor(db, runId)).toBe(0);

  const late = await sold(40_00, atEnd);
  await sold(1_000_00, week.endsAt);
  await sold(1_000_00, new Date(week.startsAt.getTime() - 1));
  expect(await lateSalesMinor(db, runId)).toBe(40_00);
  await soldOrderRefund(db, { ...late, goodsMinor: 15_00, at: atEnd });
  await takeAllEvents(db);
  expect(await lateSalesMinor(db, runId)).toBe(25_00);
  await soldOrderRefund(db, { ...late, goodsMinor: 25_00, isCancellation: true, at: week.endsAt });
  await takeAllEvents(db);
  expect(await lateSalesMinor(db, runId)).toBe(25_00);

  expect(await baseOf(runId)).toBe(107_00);

  // The next week: its sale and refund, and what was late for this one.
  const nextId = await runPool(db, 'WEEKLY', '2026-W21');
  expect(await baseOf(nextId)).toBe(1_000_00 - 25_00 + 25_00);
  // The week before, counted after both, has its own sale and nothing late.
  expect(await baseOf(await runPool(db, 'WEEKLY', '2026-W19'))).toBe(1_000_00);
  // Late for two of them.
  await sold(3_00, atEnd);
  await sold(5_00, week.endsAt);
  expect([await lateSalesMinor(db, runId), await lateSalesMinor(db, nextId)]).toEqual([28_00, 5_00]);
  expect(await baseOf(await runPool(db, 'WEEKLY', '2026-W22'))).toBe(8_00);
  expect(await baseOf(await runPool(db, 'WEEKLY', '2026-W23'))).toBe(0);
  // The other kind counts each once too.
  expect(await baseOf(await runPool(db, 'MONTHLY', '2026-05'))).toBe(107_00 + 25_00 + 1_975_00 + 8_00);
  expect(await poolViolations(own.db)).toEqual([]);
});

test('a late sale counts for the legs of its partners', async () => {
  const { db } = own;
  await runPool(db, 'WEEKLY', '2026-W26');
  const { id } = await qualifiedLeader(db, period('WEEKLY', '2026-W26'));
  await takeAllEvents(db);
  const shares = await sharesOfRun(db, await runPool(db, 'WEEKLY', '2026-W27'));
  expect(shares.get(id)).toMatchObject({ volumeMinor: 3_500_00, amountMinor: 35_00, takesPart: true });
});

test('an older period that is counted later waits for late sales of those counted before', async () => {
  const { db } = own;
  await runPool(db, 'WEEKLY', '2025-W32');
  const event = await soldEvent(db, { at: period('WEEKLY', '2025-W32').startsAt });
  const count = () => counting(period('WEEKLY', '2025-W31'));
  expect(await count()).toBeNull();
  await execute(own.owner, 'DELETE FROM domain_events WHERE id = $1', [event]);
  expect(await count()).toMatchObject({ participants: 0 });
});

test.each([1, 2, 3, 4, 5, 6])('in any order of sales and counts each sale counts once (%i)', async (seed) => {
  const { db } = own;
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const { id: userId } = await make.user(db);
  const weeks = [40, 41, 42, 43, 44].map((week) => `${2019 + seed}-W${week}`);
  const left = [...weeks];
  const runs: string[] = [];
  let sold = 0;
  while (left.length > 0) {
    for (let n = next(4); n > 0; n--) {
      const baseMinor = next(100_00) - 30_00;
      const { startsAt } = period('WEEKLY', weeks[next(5)]!);
      await partnerSale(db, {
        ...{ userId, baseMinor, at: new Date(startsAt.getTime() + next(500_000_000)) },
        kind: baseMinor < 0 ? 'REFUND' : 'ORDER',
      });
      sold += baseMinor;
    }
    await takeEvents(db);
    runs.push(await runPool(db, 'WEEKLY', left.splice(next(left.length), 1)[0]!));
  }
  runs.push(await runPool(db, 'WEEKLY', `${2019 + seed}-W45`));
  let counted = 0;
  for (const runId of runs) counted += await baseOf(runId);
  expect(counted).toBe(sold);
  expect(await poolViolations(own.db)).toEqual([]);
});

test('sales in another currency are late for no pool', async () => {
  const { id: userId } = await make.user(own.db);
  const { period: name, startsAt: at } = period('WEEKLY', '2026-W30');
  const runId = await runPool(own.db, 'WEEKLY', name);
  await partnerSale(own.db, { userId, baseMinor: 9_00, at, currency: 'EUR' });
  expect(await lateSalesMinor(own.db, runId)).toBe(0);
});

test('a sale of the last moment that is not counted holds its pool up, one of the next period does not', async () => {
  const { db } = own;
  const next = period('WEEKLY', '2026-W31');
  const atNext = await soldEvent(db, { at: next.endsAt });
  const ofPeriod = await soldEvent(db, { at: new Date(next.endsAt.getTime() - 1) });
  const count = () => counting(next);
  expect(await count()).toBeNull();
  await execute(own.owner, 'DELETE FROM domain_events WHERE id = $1', [ofPeriod]);
  expect(await count()).toMatchObject({ participants: 0 });
  await execute(own.owner, 'DELETE FROM domain_events WHERE id = $1', [atNext]);
});

describe('the time from which a period is counted', () => {
  const countableFrom = (kind: PoolKind, name: string, at: Date) => {
    const policy = policyFrom({});
    const deps = { longDb: own.db, policy };
    // Some failures are thrown before there is a promise.
    const asked = async () =>
      poolActivities(deps).poolCountableFrom({ kind, period: name, at: at.toISOString() });
    return asked();
  };

  test.each([
    ['WEEKLY', '2026-W53', '2027-01-04T01:00:00.000Z'],
    ['MONTHLY', '2028-02', '2028-03-01T01:00:00.000Z'],
  ] as const)('is an hour after its end: %s %s', async (kind, name, from) => {
    const { endsAt } = poolPeriodNamed(kind, name)!;
    for (const at of [endsAt, new Date(endsAt.getTime() + 86_400_000)])
      expect(await countableFrom(kind, name, at)).toEqual({ from });
  });

  test('is never while it lasts, nor for what is no period', async () => {
    await expect(countableFrom('WEEKLY', week.period, atEnd)).rejects.toMatchObject({
      ...{ type: 'PeriodNotEnded', nonRetryable: true },
    });
    await expect(countableFrom('WEEKLY', '2025-W53', atEnd)).rejects.toMatchObject({
      ...{ type: 'NoSuchPeriod', nonRetryable: true },
    });
  });
});
