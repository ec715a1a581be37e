import fc from 'fast-check';
import { Transaction } from 'sequelize';
import { v7 } from 'uuid';
import {
  type CatalogueChannel,
  catalogueTags,
  openCatalogueChannel,
} from '../../../db/catalog/catalogue-change/catalogue-channel';
import { listProducts } from '../../../db/catalog/shop/shop-product-list.reads';
import { reserveStock, sellStock } from '../../../db/catalog/stock/stock.transitions';
import { catalogueInvariants } from '../../../db/invariants/catalog/catalogue.invariants';
import { type Db, execute, firstRow, rows, type Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { given } from '../../support/builders/given';
import { make } from '../../support/builders/make';
import { eventually } from '../../support/checks/eventually';
import { ownDatabase } from '../../support/servers/database';

describe('notes', () => {
  const own = ownDatabase();
  let channel: CatalogueChannel;
  let announcements = 0;
  const { all, availability, sales } = catalogueTags;

  beforeAll(async () => {
    channel = await openCatalogueChannel(own.url, {
      announced: () => {
        announcements++;
      },
      lost: () => undefined,
    });
  });
  afterAll(() => channel.close());
  beforeEach(async () => {
    await channel.changes();
  });

  const changes = async () => [...(await channel.changes())].sort();

  async function begin(): Promise<Tx> {
    const transaction = await own.db.sequelize.transaction({
      isolationLevel: Transaction.ISOLATION_LEVELS.READ_COMMITTED,
    });
    return { sequelize: own.db.sequelize, transaction };
  }

  describe('changes', () => {
    it('are the tags committed since the last call, each once, in whatever order the transactions began', async () => {
      const [a, b, c] = [await make.product(own.db), await make.product(own.db), await make.product(own.db)];
      await changes();
      const rate = (tx: Tx, id: string) =>
        execute(tx, `UPDATE products SET ratings = '{1,0,0,0,0}' WHERE id = $1`, [id]);
      const [early, late, never] = [await begin(), await begin(), await begin()];
      await rate(early, a.id);
      await rate(late, b.id);
      await rate(never, c.id);
      expect(await changes()).toEqual([]);
      await late.transaction.commit();
      expect(await changes()).toEqual([b.id]);
      await make.category(own.db);
      expect(await changes()).toEqual([all]);
      await never.transaction.rollback();
      await early.transaction.commit();
      expect(await changes()).toEqual([a.id]);
      expect(await changes()).toEqual([]);
    });

    it('are announced when they are committed, and not before', async () => {
      await make.product(own.db);
      const tx = await begin();
      await execute(tx, `UPDATE categories SET name = name`);
      await execute(
        tx,
        `INSERT INTO categories (id, name, slug, created_at, updated_at)
      VALUES (gen_random_uuid(), 'x', 'x', now(), now())`,
      );
      await changes();
      const before = announcements;
      await changes();
      expect(announcements).toBe(before);
      await tx.transaction.commit();
      await eventually(() => expect(announcements).toBe(before + 1));
    });

    it('to very many products are the tag of everything', async () => {
      for (let n = 0; n < 101; n++) await make.product(own.db);
      await changes();
      await execute(own.db, `UPDATE products SET ratings = '{0,2,0,0,0}'`);
      expect(await changes()).toEqual([all]);
    });
  });

  describe('a sale', () => {
    it('changes its product when stock is reserved, and nothing when reserved stock is sold', async () => {
      const product = await make.product(own.db, { stock: 5 });
      const [first, second] = [await given(own.db).order(), await given(own.db).order()];
      await changes();
      const amounts = (quantity: number) => [{ stockItemId: product.stockItemId!, quantity }];
      const at = new Date().toISOString();
      await inTransaction(own.db, (tx) => reserveStock(tx, amounts(2), first, at));
      expect(await changes()).toEqual([product.id]);
      await inTransaction(own.db, (tx) => sellStock(tx, amounts(2), first, at));
      expect(await changes()).toEqual([]);
      await inTransaction(own.db, (tx) => reserveStock(tx, amounts(3), second, at));
      expect(await changes()).toEqual([product.id, availability].sort());
    });

    it('waits for no sale of another product', async () => {
      const [a, b] = [await make.product(own.db), await make.product(own.db)];
      const [first, second] = [await begin(), await begin()];
      const sell = (tx: Tx, id: string) =>
        execute(tx, `UPDATE stock_items SET available = available - 1 WHERE product_id = $1`, [id]);
      await sell(first, a.id);
      await execute(second, `SET LOCAL lock_timeout = '2s'`);
      await sell(second, b.id);
      await second.transaction.commit();
      await first.transaction.commit();
      expect(await changes()).toEqual(expect.arrayContaining([a.id, b.id]));
    });

    it('changes the order by popularity, in the product’s own category', async () => {
      const category = await make.category(own.db);
      const product = await make.product(own.db, { categoryId: category.id });
      const loose = await make.product(own.db);
      await changes();
      const count = `UPDATE products SET units_sold_90d = units_sold_90d + 1 WHERE id = $1`;
      await execute(own.db, count, [product.id]);
      expect(await changes()).toEqual([sales, catalogueTags.salesIn(category.id)]);
      await execute(own.db, count, [loose.id]);
      expect(await changes()).toEqual([sales]);
    });
  });

  describe('what visitors see', () => {
    it('is announced when it is deleted', async () => {
      const product = await make.product(own.db, { stock: null });
      await make.image(own.db, product.id);
      await changes();
      await execute(own.db, 'DELETE FROM product_images WHERE product_id = $1', [product.id]);
      expect(await changes()).toEqual([all]);
      await execute(own.db, 'DELETE FROM products WHERE id = $1', [product.id]);
      expect(await changes()).toEqual([all]);
    });
  });
});

describe('columns', () => {
  const own = ownDatabase();

  /** True if a statement is noted as a change of the catalogue; it is rolled back. */
  async function noted(statement: string): Promise<boolean> {
    class Enough extends Error {}
    let found = false;
    const tried = async (tx: Tx): Promise<never> => {
      await execute(tx, statement);
      const notes = await rows(
        tx,
        `SELECT 1 FROM catalogue_changes WHERE transaction_id = pg_current_xact_id()::text::bigint`,
      );
      found = notes.length > 0;
      throw new Enough();
    };
    await expect(inTransaction(own.owner, tried)).rejects.toBeInstanceOf(Enough);
    return found;
  }

  /** Columns that visitors do not see, or that follow from others. */
  const unseen = [
    'products.max_per_line',
    'stock_items.reserved',
    'stock_items.updated_at',
    'stock_items.withdrawn',
  ];

  /** Columns that change only together with another, such as the status of a deleted product. */
  const bound = ['products.deleted_at', 'product_images.media_name', 'product_images.thumbnail_media_name'];

  const otherValue: Readonly<Record<string, string>> = {
    uuid: 'NULL',
    text: `'AAA'`,
    bigint: '77',
    integer: '77',
    boolean: 'NOT COLUMN',
    'text[]': `'{other}'`,
    'integer[]': `'{7,7,7,7,7}'`,
    jsonb: `'{"other": "thing"}'`,
    'timestamp with time zone': `'2001-01-01'`,
  };

  beforeAll(async () => {
    const category = await make.category(own.db);
    const product = await make.product(own.db, { categoryId: category.id });
    await make.variant(own.db, product.id);
    await make.image(own.db, product.id);
  });

  it('a change of any column that visitors see is noted', async () => {
    const columns = await rows<{ table: string; column: string; type: string }>(
      own.db,
      `SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relname IN ('products', 'categories', 'product_images', 'product_variants', 'stock_items')
       AND c.relkind = 'r' AND a.attgenerated = ''
       AND a.attname NOT IN ('id', 'product_id', 'variant_id', 'parent_id')
       AND c.relname || '.' || a.attname <> ALL ($1)`,
      [bound],
    );
    expect(columns.length).toBeGreaterThan(40);
    const silent: string[] = [];
    for (const { table, column, type } of columns) {
      const value = column === 'status' ? `'ARCHIVED'` : (otherValue[type] ?? 'of an unknown type');
      const change = `UPDATE ${table} SET ${column} = ${value.replace('COLUMN', column)}
      WHERE id = (SELECT id FROM ${table} ORDER BY id DESC LIMIT 1)`;
      if (!(await noted(change))) silent.push(`${table}.${column}`);
    }
    expect(silent.sort()).toEqual(unseen);
  });

  it.each(['categories', 'products', 'product_images', 'product_variants', 'stock_items'])(
    'a change is noted when %s are emptied, and none when no row is touched',
    async (table) => {
      expect(await noted(`TRUNCATE ${table} CASCADE`)).toBe(true);
      expect(await noted(`DELETE FROM ${table} WHERE false`)).toBe(false);
      expect(await noted(`UPDATE ${table} SET id = id WHERE false`)).toBe(false);
    },
  );
});

describe('counts', () => {
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
      ...Array.from({ length: 40 }, (_, n) =>
        insert(own.db, [{ category: n % 4, status, tags: ['b', 'c'] }]),
      ),
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
});
