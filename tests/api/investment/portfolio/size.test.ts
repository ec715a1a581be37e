import { execute, firstRow, rows, type Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { courseOf } from '../../../../db/investment/portfolio/performance.reads';
import { flowDaysOf, holdingsOf } from '../../../../db/investment/portfolio/portfolio.reads';
import { make } from '../../../support/builders/make';
import { addProfits } from '../../../support/builders/make/participation/profits';
import { signIn } from '../../../support/builders/sign-in';
import { ownWorld } from '../../../support/worlds/world';

const at = new Date('2022-01-01T00:00:00Z');

const world = ownWorld();

/** A person with participations in several strategies, each with so many profits, a day apart. */
async function investor(participations: number, profits: number) {
  const { id: userId } = await make.user(world.db);
  for (let n = 0; n < participations; n += 1) {
    const made = await make.participation(world.db, { userId, status: 'ACTIVE', at, durationDays: 3_000 });
    await addProfits(world.db, made, profits, at);
  }
  const token = await signIn(world, { id: userId });
  return {
    userId,
    get: (path: string) => world.http.get(`/api/v1/investment${path}`).auth(token, { type: 'bearer' }),
  };
}

it('a portfolio of 10,000 transactions costs as many statements as one of ten', async () => {
  const [small, large] = [await investor(2, 3), await investor(10, 999)];
  const paths = ['/portfolio', '/portfolio/performance?period=ALL', '/participations?pageSize=50'];
  for (const path of paths) {
    const statements = async ({ get }: typeof small) => {
      await get(path);
      const sent = jest.spyOn(world.db.sequelize, 'query');
      try {
        expect((await get(path)).status).toBe(200);
        return sent.mock.calls.length;
      } finally {
        sent.mockRestore();
      }
    };
    const [few, many] = [await statements(small), await statements(large)];
    expect([path, many]).toEqual([path, few]);
    expect(many).toBeLessThanOrEqual(6);
  }
});

it('the figures of a portfolio read no profits, however many there are', async () => {
  const { userId } = await investor(3, 2_000);
  await rows(world.db, 'ANALYZE investment_transactions, participations');
  const rowsRead = async (tx: Tx): Promise<number> => {
    const counted = await firstRow<{ n: number }>(
      tx,
      `SELECT (pg_stat_get_xact_tuples_fetched(c.oid) + pg_stat_get_xact_tuples_returned(c.oid))::int AS n
       FROM pg_class c WHERE relname = 'investment_transactions'`,
    );
    return counted?.n ?? 0;
  };
  // Within one transaction, since each connection counts the rows that it has read.
  const read = (work: (tx: Tx) => Promise<unknown>): Promise<number> =>
    inTransaction(world.db, async (tx) => {
      const before = await rowsRead(tx);
      await work(tx);
      return (await rowsRead(tx)) - before;
    });
  expect(await read((tx) => rows(tx, 'SELECT count(*) FROM investment_transactions'))).toBeGreaterThan(6_000);
  expect(await read((tx) => holdingsOf(tx, userId, new Date()))).toBeLessThan(100);
  expect(await read((tx) => flowDaysOf(tx, userId, new Date()))).toBeLessThan(100);
  expect((await courseOf(world.db, userId, new Date())).length).toBeGreaterThan(1_500);
});

it('sums beyond the largest amount are shown as that, however large a thousand investments are', async () => {
  const { userId, get } = await investor(1, 1);
  await execute(
    world.db,
    `UPDATE participations SET amount_minor = 999999999999, reported_value_minor = 999999999999,
       value_reported_at = now(), return_expected_bp = 1000000 WHERE user_id = $1`,
    [userId],
  );
  await execute(
    world.db,
    `INSERT INTO participations
       SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'number', 'INV-1999-' || n))).*
         FROM participations p CROSS JOIN generate_series(1, 1200) AS n WHERE p.user_id = $1`,
    [userId],
  );
  const most = 9_999_999_999_999.99;
  const portfolio = await get('/portfolio').expect(200);
  expect(portfolio.body.data.summary).toMatchObject({ totalInvested: most, currentValue: most });
  const list = await get('/participations?pageSize=50').expect(200);
  expect(list.body.data.summary).toMatchObject({ totalInvested: most, pendingReturns: most });
  const course = await get('/portfolio/performance?period=ALL').expect(200);
  expect(course.body.data.metrics.endValue).toBe(most);
});
