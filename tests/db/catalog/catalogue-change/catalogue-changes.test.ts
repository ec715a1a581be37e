import { Transaction } from 'sequelize';
import {
  catalogueTags,
  openCatalogueChannel,
  type CatalogueChannel,
} from '../../../../db/catalog/catalogue-change/catalogue-channel';
import { reserveStock, sellStock } from '../../../../db/catalog/stock/stock.transitions';
import { execute, type Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { ownDatabase } from '../../../support/servers/database';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';

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
    await changes();
    const amounts = (quantity: number) => [{ stockItemId: product.stockItemId!, quantity }];
    const at = new Date().toISOString();
    await inTransaction(own.db, (tx) => reserveStock(tx, amounts(2), 'order:1', at));
    expect(await changes()).toEqual([product.id]);
    await inTransaction(own.db, (tx) => sellStock(tx, amounts(2), 'order:1', at));
    expect(await changes()).toEqual([]);
    await inTransaction(own.db, (tx) => reserveStock(tx, amounts(3), 'order:2', at));
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
