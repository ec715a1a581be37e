import { countPool } from '../../../../activities/partners/pool/count-pool';
import { policyFrom } from '../../../../db/policy/config';
import { firstRow, type Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { PoolPeriod } from '../../../../workflows/partners/pool/pool-period.rules';
import { people, soldOrder } from '../../../support/builders/partnering/sold-orders';
import { waiting } from '../../../support/checks/held-locks';
import { takeAllEvents, takeEvent } from '../../../support/checks/take-events';
import { ownDatabase } from '../../../support/servers/database';
import { baseMinorOf, period, poolViolations, runPool } from './pools';

const own = ownDatabase();
const baseOf = (runId: string) => baseMinorOf(own.db, runId);
const withoutUncounted = (of: PoolPeriod, db: Db = own.db) =>
  countPool(db, new AbortController().signal, of, { withoutUncounted: true });

/** The event of an order of nobody's customer, which the engine has not counted. */
async function announced(goodsMinor: number, paidAt: Date): Promise<string> {
  const [buyerId] = await people(own.db, [null]);
  const { id } = await soldOrder(own.db, { buyerId: buyerId!, lines: [{ goodsMinor }], paidAt });
  return (await firstRow<{ id: string }>(own.db, 'SELECT id FROM domain_events WHERE entity_id = $1', [id]))!
    .id;
}
const taken = (db: Db, eventId: string) => takeEvent(db, policyFrom({}), eventId);

/** Runs `work` between the two transactions of a count, after the last sale is known. */
const interrupted = (work: () => Promise<unknown>): Db => {
  let transactions = 0;
  return {
    ...own.db,
    async watch(statement, run) {
      if (statement.includes('pg_backend_pid') && ++transactions === 2) await work();
      return run();
    },
  };
};
afterEach(async () => {
  await takeAllEvents(own.db);
  expect(await poolViolations(own.db)).toEqual([]);
});

test('loses none whose number was given before another was committed', async () => {
  const { db } = own;
  const week = period('WEEKLY', '2025-W10');
  const [slow, fast] = [await announced(5_00, week.startsAt), await announced(7_00, week.startsAt)];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let held = Promise.resolve();
  await new Promise<void>((inserted, fail) => {
    held = inTransaction(db, async (tx) => {
      await taken(tx, slow);
      inserted();
      await released;
    });
    held.catch(fail);
  });
  await taken(db, fast);
  const counted = withoutUncounted(week);
  await Promise.race([counted, waiting(db, 1)]);
  release();
  await held;
  const { runId } = (await counted)!;
  const later = await runPool(db, 'WEEKLY', '2025-W11');
  expect((await baseOf(runId)) + (await baseOf(later))).toBe(12_00);
});

test('counts what comes during it in the next run', async () => {
  const week = period('WEEKLY', '2025-W14');
  const [missing, during] = [await announced(5_00, week.startsAt), await announced(7_00, week.startsAt)];
  const { runId } = (await withoutUncounted(
    week,
    interrupted(() => taken(own.db, during)),
  ))!;
  expect(await baseOf(runId)).toBe(0);
  await taken(own.db, missing);
  expect(await baseOf(await runPool(own.db, 'WEEKLY', '2025-W15'))).toBe(12_00);
});

test('counts everything if nothing is missing by then', async () => {
  const week = period('WEEKLY', '2025-W18');
  const last = await announced(5_00, week.startsAt);
  const { runId } = (await withoutUncounted(
    week,
    interrupted(() => taken(own.db, last)),
  ))!;
  expect(await baseOf(runId)).toBe(5_00);
});

test('is not made after a run that has counted later ones meanwhile', async () => {
  const [earlier, week] = [period('WEEKLY', '2025-W22'), period('WEEKLY', '2025-W23')];
  const missing = await announced(5_00, week.startsAt);
  const during = await announced(7_00, earlier.startsAt);
  const between = async () => {
    await taken(own.db, during);
    await runPool(own.db, 'WEEKLY', earlier.period);
  };
  expect(await withoutUncounted(week, interrupted(between))).toBeNull();
  const { runId } = (await withoutUncounted(week))!;
  expect(await baseOf(runId)).toBe(0);
  await taken(own.db, missing);
  expect(await baseOf(await runPool(own.db, 'WEEKLY', '2025-W24'))).toBe(5_00);
});
