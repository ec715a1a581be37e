import { countPool } from '../../../../activities/partners/pool/count-pool';
import { poolActivities } from '../../../../activities/partners/pool/pool.activities';
import { lateSalesMinor } from '../../../../db/partners/pool/pool.reads';
import { policyFrom } from '../../../../db/policy/config';
import { execute, firstRow } from '../../../../db/sql/query';
import { poolPeriodNamed, type PoolKind } from '../../../../workflows/partners/pool/pool-period.rules';
import { make } from '../../../support/builders/make';
import { partnerSale, soldEvent } from '../../../support/builders/make/partners/partner-sales';
import { people, soldOrder, soldOrderRefund } from '../../../support/builders/partnering/sold-orders';
import { takeAllEvents } from '../../../support/checks/take-events';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { period, runPool } from './pools';

const own = ownDatabase();
const week = period('WEEKLY', '2026-W20');
/** The last moment of the week. */
const atEnd = new Date(week.endsAt.getTime() - 1);

const baseOf = async (runId: string): Promise<number> =>
  (await firstRow<{ minor: number }>(own.db, 'SELECT base_minor AS minor FROM pool_runs WHERE id = $1', [
    runId,
  ]))!.minor;

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
  expect((await violations(db)).filter((line) => line.startsWith('pools.'))).toEqual([]);
});

test('sales in another currency are late for no pool', async () => {
  const { id: userId } = await make.user(own.db);
  const { period: name, startsAt: at } = period('WEEKLY', '2026-W21');
  const runId = await runPool(own.db, 'WEEKLY', name);
  await partnerSale(own.db, { userId, baseMinor: 9_00, at, currency: 'EUR' });
  expect(await lateSalesMinor(own.db, runId)).toBe(0);
});

test('a sale of the last moment that is not counted holds its pool up, one of the next period does not', async () => {
  const { db } = own;
  const next = period('WEEKLY', '2026-W22');
  const atNext = await soldEvent(db, { at: next.endsAt });
  const ofPeriod = await soldEvent(db, { at: new Date(next.endsAt.getTime() - 1) });
  const count = () => countPool(db, new AbortController().signal, next);
  expect(await count()).toBeNull();
  await execute(own.owner, 'DELETE FROM domain_events WHERE id = $1', [ofPeriod]);
  expect(await count()).toMatchObject({ participants: 0 });
  await execute(own.owner, 'DELETE FROM domain_events WHERE id = $1', [atNext]);
});

describe('the time from which a period is counted', () => {
  const countableFrom = (kind: PoolKind, name: string, at: Date) => {
    const policy = policyFrom({});
    const deps = {
      db: own.db,
      longDb: own.db,
      start: () => Promise.reject(new Error('Nothing starts.')),
      policy,
    };
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
