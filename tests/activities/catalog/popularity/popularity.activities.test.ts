import { policyFrom } from '../../../../db/policy/config';
import { popularityActivities } from '../../../../activities/catalog/popularity/popularity.activities';
import { countSales } from '../../../../db/catalog/popularity/sales.transitions';
import { execute, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';

const own = ownDatabase();
const at = '2026-06-30T12:00:00.000Z';
const recount = () => popularityActivities({ db: own.db, policy: policyFrom({}) }).recountPopularity({ at });
const sold = (productId: string, day: string, units: number) =>
  execute(own.db, 'INSERT INTO product_daily_sales VALUES ($1, $2, $3)', [productId, day, units]);

async function popularityOf(id: string): Promise<number | undefined> {
  const found = await rows<{ units: number }>(
    own.db,
    'SELECT units_sold_90d AS units FROM products WHERE id = $1',
    [id],
  );
  return found[0]?.units;
}

beforeEach(async () => {
  await execute(own.owner, 'TRUNCATE products CASCADE');
});

test('counts the units of ninety days, the current day included', async () => {
  const steady = await make.product(own.db, { unitsSold90d: 500 });
  await sold(steady.id, '2026-04-01', 100); // the ninety-first day
  await sold(steady.id, '2026-04-02', 20);
  await sold(steady.id, '2026-06-30', 3);
  const fallen = await make.product(own.db, { unitsSold90d: 7 });
  await sold(fallen.id, '2026-03-31', 7);
  const right = await make.product(own.db, { unitsSold90d: 4 });
  await sold(right.id, '2026-05-01', 4);
  const givenBack = await make.product(own.db, { unitsSold90d: 1 });
  await sold(givenBack.id, '2026-05-01', -2);

  expect(await recount()).toEqual({ changed: 3, full: false });
  expect(await Promise.all([steady, fallen, right, givenBack].map(({ id }) => popularityOf(id)))).toEqual([
    23, 0, 4, 0,
  ]);
  expect(await recount()).toEqual({ changed: 0, full: false });
});

test('works in batches', async () => {
  await execute(
    own.db,
    `INSERT INTO products (id, name, slug, sku, description, price_minor, status, commission_bp, career_points_bp,
       units_sold_90d, created_at, updated_at)
     SELECT gen_random_uuid(), 'n', n, n, 'd', 1, 'ACTIVE', 0, 0, 1, now(), now() FROM generate_series(1, 2500) n`,
  );
  expect(await recount()).toEqual({ changed: 2_000, full: true });
  expect(await recount()).toEqual({ changed: 500, full: false });
});

test('a sale that is being written meanwhile is not lost', async () => {
  const { id } = await make.product(own.db, { unitsSold90d: 50 });
  await sold(id, '2026-06-29', 10);
  let recounted: Promise<unknown> = Promise.resolve();
  await inTransaction(own.db, async (tx) => {
    await countSales(tx, [{ productId: id, quantity: 5 }], at, 1);
    recounted = recount();
    await untilSomeoneWaits();
  });
  await recounted;
  expect(await popularityOf(id)).toBe(15);
});

/** Resolves as soon as a statement waits for a lock of another transaction. */
async function untilSomeoneWaits(): Promise<void> {
  const waiting = `SELECT 1 AS one FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const deadline = Date.now() + 20_000;
  while ((await rows(own.db, waiting)).length === 0)
    if (Date.now() > deadline) throw new Error('Nobody waits, so nothing was locked.');
}
