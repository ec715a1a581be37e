import fc from 'fast-check';
import { Transaction } from 'sequelize';
import { rollupWork } from '../../../../activities/administration/analytics/roll-up-facts';
import { BEFORE_RANGE, figureSums, WHOLE_RANGE } from '../../../../db/administration/analytics/figures.reads';
import { rollUpChanges } from '../../../../db/administration/analytics/rollup.transitions';
import { execute, rows, type Db } from '../../../../db/sql/query';
import { inRolledBackTransaction, inTransaction } from '../../../../db/sql/transaction';
import { rangeOf, type Range } from '../../../../api/admin/analytics/reading/analytics-query';
import { FIGURES, OF_RANGES } from '../../../../workflows/administration/analytics/figures.rules';
import { GRANULARITIES } from '../../../../workflows/administration/analytics/period.rules';
import { payOrder } from '../../../support/builders/given/paid-order';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { createDatabase, ownDatabase, type TestDatabase } from '../../../support/servers/database';
import { takeTurn } from '../job/take-turn';
import { happening } from './random-facts';
import { castOf, type Expected } from './random-shop';

const own = ownDatabase();
const rollUp = async (db: Db, batch?: number, turnMs?: number) => {
  const turn = await takeTurn(db, rollupWork(batch), turnMs === undefined ? {} : { turnMs });
  return { facts: turn.done, isDone: turn.isDone };
};

const waiting = async (db: Db): Promise<number> =>
  (await rows<{ n: number }>(db, 'SELECT count(*)::int AS n FROM analytics_changes'))[0]!.n;

/** A run of the job, at some time and in some way, between two things that happen. */
const RUNS: Record<string, (db: Db) => Promise<unknown>> = {
  none: () => Promise.resolve(),
  whole: (db) => rollUp(db),
  twice: async (db) => [await rollUp(db), await rollUp(db)],
  'two at once': (db) => Promise.all([rollUp(db, 3), rollUp(db, 2)]),
  'a batch': (db) => inTransaction(db, (tx) => rollUpChanges(tx, 4)),
  'killed before its commit': (db) => inRolledBackTransaction(db, (tx) => rollUpChanges(tx, 5)),
};

type Sum = Omit<Expected, 'at'> & { day: string };

/**
 * Sums of these facts by the first day of each point, as PostgreSQL reckons with calendars; those of ranges by the range; and of
 * all before the range.
 */
async function slowly(db: Db, range: Range, facts: string, bind: unknown[]): Promise<Sum[]> {
  return rows<Sum>(
    db,
    `SELECT figure, part, CASE WHEN (at AT TIME ZONE $2)::date < $3::date THEN 'before' WHEN split_part(figure, '.', 1) = ANY ('${OF_RANGES}') THEN $3::date::text ELSE greatest(date_trunc($1, at AT TIME ZONE $2)::date, $3::date)::text END AS day,
            sum(occurrences)::int AS occurrences, sum(amount_minor)::bigint AS amount_minor, sum(seconds)::bigint AS seconds
       FROM ${facts}
      WHERE (at AT TIME ZONE $2)::date <= $4::date GROUP BY 1, 2, 3`,
    [range.granularity, range.timezone, range.from, range.to, ...bind],
  );
}

const ordered = (sums: readonly Sum[]): string[] =>
  sums
    .filter(({ occurrences, amountMinor, seconds }) =>
      [occurrences, amountMinor, seconds].some((one) => one !== 0),
    )
    .map(({ figure, part, day, occurrences, amountMinor, seconds }) =>
      [figure, part, day, occurrences, amountMinor, seconds].join(' '),
    )
    .sort();

async function quickly(db: Db, range: Range): Promise<Sum[]> {
  const { boundaries, points } = range;
  const ofRange = FIGURES.filter((figure) =>
    OF_RANGES.slice(1, -1).split(',').includes(figure.split('.')[0]!),
  );
  const all = { figures: FIGURES.filter((figure) => !ofRange.includes(figure)), ofRange, before: FIGURES };
  const found = await figureSums(db, { ...all, boundaries, currency: 'USD' });
  return found.map(({ bucket, ...sum }) => ({
    ...sum,
    day: bucket === BEFORE_RANGE ? 'before' : bucket === WHOLE_RANGE ? range.from : points[bucket]!.from,
  }));
}

const ranges = fc
  .record({
    granularity: fc.constantFrom(...GRANULARITIES),
    timezone: fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kathmandu',
      'Pacific/Apia',
      'America/St_Johns',
    ),
    from: fc.integer({ min: 0, max: 900 }),
    days: fc.integer({ min: 0, max: 399 }),
  })
  .map(({ from, days, ...query }) => {
    const day = (n: number) => new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10);
    const range = rangeOf(
      { ...query, currency: 'USD', dateFrom: day(from), dateTo: day(from + days) },
      new Date(),
    );
    if ('field' in range) throw new Error(range.message);
    return range;
  });

const MODEL = `(SELECT figure, part, at::timestamptz AS at, occurrences, "amountMinor" AS amount_minor, seconds
  FROM jsonb_to_recordset($5::jsonb) AS f (figure text, part text, at text, occurrences int, "amountMinor" bigint,
    seconds bigint)) AS facts`;

test('whatever happens in whatever order, and however the job runs, quick figures are those of the slow query', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(happening, fc.constantFrom(...Object.keys(RUNS))), { minLength: 1, maxLength: 25 }),
      fc.array(ranges, { minLength: 1, maxLength: 2 }),
      async (shop, asked) => {
        const database: TestDatabase = await createDatabase();
        const { db } = database;
        try {
          const cast = await castOf(db);
          await execute(db, 'DELETE FROM analytics_changes');
          const facts: Expected[] = [];
          for (const [happens, run] of shop) {
            facts.push(...(await happens(db, cast)));
            await RUNS[run]!(db);
            for (const range of asked) {
              const quick = ordered(await quickly(db, range));
              expect(quick).toEqual(ordered(await slowly(db, range, MODEL, [JSON.stringify(facts)])));
            }
          }
          await rollUp(db);
          expect(await waiting(db)).toBe(0);
          // Those of the cast were not counted.
          const since = `(SELECT * FROM analytics_facts WHERE figure NOT IN ('partner.joined', 'partner.active')) AS facts`;
          for (const range of asked)
            expect(
              ordered(await quickly(db, range)).filter((line) => !/^partner\.(joined|active) /.test(line)),
            ).toEqual(ordered(await slowly(db, range, since, [])));
        } finally {
          await database.drop();
        }
      },
    ),
    { numRuns: 15, interruptAfterTimeLimit: 240_000 },
  );
});

test('a job that ends while it moves facts leaves all of them; the next one moves them', async () => {
  const { db } = own;
  await make.partner(db);
  const before = await waiting(db);
  expect(before).toBeGreaterThan(0);
  const killed = inTransaction(db, async (tx) => {
    await rollUpChanges(tx, 10);
    await execute(tx, 'SELECT pg_terminate_backend(pg_backend_pid())');
  });
  await expect(killed).rejects.toThrow();
  expect(await waiting(db)).toBe(before);
  expect(await rollUp(db)).toEqual({ facts: before, isDone: true });
  expect(await rollUp(db)).toEqual({ facts: 0, isDone: true });
});

test('a long turn ends with facts left, and says so', async () => {
  const { db } = own;
  for (let n = 0; n < 5; n++) await make.partner(db);
  expect(await rollUp(db, 2, 0)).toEqual({ facts: 2, isDone: false });
  expect((await rollUp(db)).isDone).toBe(true);
});

test('two orders of one new customer, paid at once: one is the first', async () => {
  const { db } = own;
  const [{ id: userId }, shippingMethodId] = [await make.user(db), await make.shippingMethod(db)];
  const order = { at: new Date().toISOString(), userId, shippingMethodId, ...{ subtotal: 100, discount: 0 } };
  await Promise.all([1, 2, 3, 4].map(() => payOrder(db, { ...order, shipping: 0, tax: 0, method: 'CARD' })));
  const customers = await rows<{ part: string }>(
    db,
    `SELECT part FROM analytics_changes WHERE figure = 'sale.customer' ORDER BY part`,
  );
  expect(customers.map(({ part }) => part)).toEqual(['NEW', 'RETURNING', 'RETURNING', 'RETURNING']);
});

const counted = (db: Db) =>
  rows(
    db,
    `SELECT * FROM analytics_rollups WHERE occurrences <> 0 OR amount_minor <> 0
      ORDER BY span_minutes, starts_at, figure, part, currency`,
  );

const LOCK = 'LOCK TABLE analytics_rollups IN SHARE ROW EXCLUSIVE MODE';
const AGAIN = 'SELECT analytics_count_again()';
const { REPEATABLE_READ } = Transaction.ISOLATION_LEVELS;

/** Counts everything again as an operator does; `meanwhile` runs between the lock and the first look at a fact. */
const countAgain = (db: Db, meanwhile: () => Promise<unknown> = () => Promise.resolve()) =>
  db.sequelize.transaction({ isolationLevel: REPEATABLE_READ }, async (transaction) => {
    const session = { ...db, transaction };
    await execute(session, LOCK);
    await meanwhile();
    await execute(session, AGAIN);
  });

test('everything counted again is what was counted', async () => {
  const { db } = own;
  await make.commission(db, { at: new Date('2025-03-01T10:07:00Z') });
  await rollUp(db);
  await make.partner(db);
  await rollUp(db);
  const before = await counted(db);
  await countAgain(db);
  expect(await counted(db)).toEqual(before);
  expect(before.length).toBeGreaterThan(200);
});

test('counted again while the job runs: the job waits, and both are right', async () => {
  const { db } = own;
  await make.partner(db);
  await rollUp(db);
  // As if somebody had written past the triggers.
  await execute(db, 'DELETE FROM analytics_rollups');
  let job: Promise<unknown> = Promise.resolve();
  await countAgain(db, async () => {
    await make.partner(db);
    job = rollUp(db);
    await eventually(async () =>
      expect(
        await rows(
          db,
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'relation'`,
        ),
      ).toHaveLength(1),
    );
  });
  await job;
  expect(await waiting(db)).toBe(0);
  const left = await counted(db);
  await countAgain(db);
  expect(await counted(db)).toEqual(left);
});

test('it is refused where the job could run between its look and its count', async () => {
  const { db } = own;
  await expect(execute(db, AGAIN)).rejects.toThrow('REPEATABLE READ');
  await make.partner(db);
  await rollUp(db);
  await execute(db, 'DELETE FROM analytics_rollups');
  const unlocked = db.sequelize.transaction({ isolationLevel: REPEATABLE_READ }, async (transaction) => {
    await execute({ ...db, transaction }, 'SELECT count(*) FROM analytics_facts');
    await make.partner(db);
    await rollUp(db);
    await execute({ ...db, transaction }, AGAIN);
  });
  await expect(unlocked).rejects.toThrow('LOCK TABLE analytics_rollups');
  await countAgain(db);
});
