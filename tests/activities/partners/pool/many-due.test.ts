import { countPool } from '../../../../activities/partners/pool/count-pool';
import { lockPoolsOfKind } from '../../../../db/partners/pool/pool-pay.transitions';
import { countedIn, earlierRuns } from '../../../../db/partners/pool/pool-sales.reads';
import { rows, type Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { PoolPeriod } from '../../../../workflows/partners/pool/pool-period.rules';
import { make } from '../../../support/builders/make';
import { partnerSale, takeEvents } from '../../../support/builders/make/partners/partner-sales';
import { ownDatabase } from '../../../support/servers/database';
import { baseMinorOf, period, poolViolations, runPool } from './pools';

const own = ownDatabase();
const counting = (of: PoolPeriod, db: Db = own.db) => countPool(db, new AbortController().signal, of);

const baseOf = (runId: string) => baseMinorOf(own.db, runId);

test('the first run of a kind reads one range of sales, the next ones the late sales too', async () => {
  const conditionOf = (month: PoolPeriod) =>
    inTransaction(own.db, async (tx) => countedIn(month, await earlierRuns(tx, month)));
  expect(await conditionOf(period('MONTHLY', '2022-05'))).not.toMatch(/\bnumber\b/);
  await runPool(own.db, 'MONTHLY', '2022-05');
  expect(await conditionOf(period('MONTHLY', '2022-06'))).toMatch(/ OR number > \d+ /);
});

test('a count does not wait for another of its kind: it is not made yet, and one of the other kind is', async () => {
  await inTransaction(own.db, async (tx) => {
    expect(await lockPoolsOfKind(tx, 'WEEKLY')).toBe(true);
    expect(await counting(period('WEEKLY', '2023-W05'))).toBeNull();
    expect(await counting(period('MONTHLY', '2023-02'))).toMatchObject({ participants: 0 });
  });
  expect(await counting(period('WEEKLY', '2023-W05'))).toMatchObject({ participants: 0 });
});

test.each([
  ['the period itself, before the snapshot', 'pg_backend_pid', '2023-W10', '2023-W10'],
  ['the period itself, after the snapshot', 'pg_try_advisory_xact_lock', '2023-W11', '2023-W11'],
  ['another period, after the snapshot', 'pg_try_advisory_xact_lock', '2023-W13', '2023-W12'],
])(
  'a run that is recorded during a count ends it without a failure: %s',
  async (_, before, name, recorded) => {
    let found: Promise<string> | undefined;
    const slow: Db = {
      ...own.db,
      async watch(statement, run) {
        if (statement.includes(before)) await (found ??= runPool(own.db, 'WEEKLY', recorded));
        return run();
      },
    };
    const week = period('WEEKLY', name);
    expect(await counting(week, slow)).toBeNull();
    const run = await counting(week);
    expect((await found) === run!.runId).toBe(recorded === name);
  },
);

test('of two periods that are counted at the same time one has the late sale', async () => {
  const { db } = own;
  const { id: userId } = await make.user(db);
  for (let round = 0; round < 8; round++) {
    const at = period('WEEKLY', `2022-W${10 + 3 * round}`).startsAt;
    await runPool(db, 'WEEKLY', `2022-W${10 + 3 * round}`);
    await partnerSale(db, { userId, baseMinor: 9_00, at });
    await takeEvents(db);
    const both = [11, 12].map((week) => `2022-W${week + 3 * round}`);
    const counted = await Promise.all(both.map((name) => counting(period('WEEKLY', name))));
    expect(counted.some((run) => run !== null)).toBe(true);
    // The workflow looks again.
    const bases = [];
    for (const name of both) bases.push(await baseOf(await runPool(db, 'WEEKLY', name)));
    expect(bases.sort((one, other) => one - other)).toEqual([0, 9_00]);
  }
  expect(await poolViolations(own.db)).toEqual([]);
});

test('eight periods that are due at the same time are all counted by repeated looks, and no look fails', async () => {
  let left = [20, 21, 22, 23, 24, 25, 26, 27].map((week) => period('WEEKLY', `2023-W${week}`));
  for (let looks = 0; left.length > 0; looks++) {
    expect(looks).toBeLessThan(8);
    const counted = await Promise.all(left.map((week) => counting(week)));
    left = left.filter((_, index) => counted[index] === null);
  }
  expect(
    await rows(own.db, `SELECT 1 FROM pool_runs WHERE period BETWEEN '2023-W20' AND '2023-W27'`),
  ).toHaveLength(8);
  expect(await poolViolations(own.db)).toEqual([]);
});
