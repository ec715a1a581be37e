import fc from 'fast-check';
import { v7 } from 'uuid';
import { catalogueInvariants } from '../../../../db/invariants/catalog/catalogue.invariants';
import { listProducts } from '../../../../db/catalog/product/shop-product-list.reads';
import { execute, firstRow, rows, type Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';

const own = ownDatabase();
const categories: (string | null)[] = [null];
beforeAll(async () => {
  for (let n = 0; n < 3; n++) categories.push((await make.category(own.db)).id);
});

/** Counts that differ from the products. */
const wrong = () => rows(own.db, catalogueInvariants[0]!.sql);
const total = async () =>
  (await listProducts(own.db, {}, { by: 'createdAt', direction: 'desc' }, { limit: 1, offset: 0 })).total;
const visible = async () =>
  (await firstRow<{ n: number }>(
    own.db,
    `SELECT count(*)::int AS n FROM products WHERE status IN ('ACTIVE', 'OUT_OF_STOCK')`,
  ))!.n;

const product = fc.record({
  category: fc.nat({ max: 3 }),
  status: fc.constantFrom('ACTIVE', 'DRAFT', 'ARCHIVED', 'OUT_OF_STOCK'),
  tags: fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 4 }),
});
interface Product {
  category: number;
  status: string;
  tags: readonly string[];
}
const step = fc.oneof(
  fc.record({
    kind: fc.constant('insert' as const),
    products: fc.array(product, { minLength: 1, maxLength: 5 }),
  }),
  fc.record({ kind: fc.constant('update' as const), share: fc.nat({ max: 4 }), to: product }),
  fc.record({ kind: fc.constant('delete' as const), share: fc.nat({ max: 4 }) }),
  fc.record({ kind: fc.constant('sell' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A random but reproducible choice of products. */
const some = (share: number) => `(hashtext(id::text) & 3) = ${share}`;

async function runStep(step: Step): Promise<void> {
  switch (step.kind) {
    case 'insert':
      return insert(own.db, step.products);
    case 'update': {
      const { category, status, tags } = step.to;
      const bind = [categories[category] ?? null, status, tags];
      const change = `UPDATE products SET category_id = $1, status = $2, tags = $3 WHERE ${some(step.share)}`;
      await execute(own.db, change, bind);
      return;
    }
    case 'delete':
      await execute(own.db, `DELETE FROM products WHERE ${some(step.share)}`);
      return;
    case 'sell':
      await execute(own.db, 'UPDATE products SET units_sold_90d = units_sold_90d + 1');
  }
}

async function insert(db: Db, products: readonly Product[]): Promise<void> {
  const made = products.map(({ category, status, tags }) => {
    const id = v7();
    return { id, category_id: categories[category] ?? null, name: id, slug: id, sku: id, status, tags };
  });
  await execute(
    db,
    `INSERT INTO products (id, category_id, name, slug, sku, description, price_minor, status, tags, commission_bp,
       career_points_bp, created_at, updated_at)
     SELECT id, category_id, name, slug, sku, '', 1, status, tags, 0, 0, now(), now()
     FROM jsonb_populate_recordset(NULL::products, $1::jsonb)`,
    [JSON.stringify(made)],
  );
}

test('after any changes of products, each count equals the products', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      for (const step of steps) await runStep(step);
      expect(await wrong()).toEqual([]);
      expect(await total()).toBe(await visible());
    }),
    { numRuns: 60 },
  );
});

test('a change that is rolled back is not counted', async () => {
  const before = await total();
  const rolledBack = inTransaction(own.db, async (tx) => {
    await execute(tx, `UPDATE products SET status = 'ACTIVE', tags = '{z}'`);
    throw new Error('Taken back.');
  });
  await expect(rolledBack).rejects.toThrow('Taken back.');
  expect(await total()).toBe(before);
  expect(await wrong()).toEqual([]);
});

test('when many change products of the same categories at once, every one of them is counted', async () => {
  const status = 'ACTIVE';
  const tags = ['a', 'b'];
  await insert(
    own.db,
    categories.flatMap((_, category) =>
      Array.from({ length: 10 }, () => ({ category, status, tags }) as const),
    ),
  );
  const there = await rows<{ id: string }>(own.db, 'SELECT id FROM products');
  const before = await total();
  const isShown = await visible();
  await Promise.all([
    ...Array.from({ length: 40 }, (_, n) => insert(own.db, [{ category: n % 4, status, tags: ['b', 'c'] }])),
    ...there.map(({ id }, n) =>
      execute(own.db, `UPDATE products SET category_id = $1, tags = '{c}' WHERE id = $2`, [
        categories[n % 4],
        id,
      ]),
    ),
  ]);
  expect([before, await total()]).toEqual([isShown, isShown + 40]);
  expect(await wrong()).toEqual([]);
});

test('a sale does not wait for a product being put into the same category', async () => {
  const newProduct = { category: 1, status: 'ACTIVE', tags: ['a'] } as const;
  await insert(own.db, [newProduct]);
  const [sold] = await rows<{ id: string }>(
    own.db,
    'SELECT id FROM products WHERE category_id = $1 LIMIT 1',
    [categories[1]],
  );
  await inTransaction(own.db, async (tx) => {
    await insert(tx, [newProduct]);
    await inTransaction(own.db, async (other) => {
      await execute(other, `SET LOCAL lock_timeout = '2s'`);
      const sale = 'UPDATE products SET units_sold_90d = units_sold_90d + 1 WHERE id = $1';
      expect(await execute(other, sale, [sold!.id])).toBe(1);
    });
  });
  expect(await wrong()).toEqual([]);
});

test('emptied tables are counted as empty', async () => {
  await execute(own.owner, 'TRUNCATE products CASCADE');
  expect([await total(), await wrong()]).toEqual([0, []]);
});
