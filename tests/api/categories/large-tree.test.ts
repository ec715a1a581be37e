import { allCategories } from '../../../db/catalog/category/administered-category.reads';
import { execute, firstRow } from '../../../db/sql/query';
import { ownShopWindow } from '../products/shop-window';

const shop = ownShopWindow();
const NODES = 2_000;
const PER_NODE = 2;

/** A tree of which each node has up to three children; two products in each. */
beforeAll(async () => {
  await execute(
    shop.db,
    `WITH node AS MATERIALIZED (SELECT n, gen_random_uuid() AS id FROM generate_series(1, ${NODES}) n)
     INSERT INTO categories (id, parent_id, name, slug, position, created_at, updated_at)
     SELECT node.id, above.id, 'Category ' || node.n, 'c-' || node.n, node.n, now(), now()
     FROM node LEFT JOIN node above ON above.n = (node.n + 1) / 3 AND node.n > 1`,
  );
  await execute(
    shop.db,
    `INSERT INTO products (id, category_id, name, slug, sku, description, price_minor, status, tags, commission_bp,
       career_points_bp, created_at, updated_at)
     SELECT gen_random_uuid(), c.id, 'p' || n, 'p-' || n, 'P-' || n, 'd', 100 + n, 'ACTIVE', ARRAY['t' || n % 7], 0, 0,
       now(), now()
     FROM generate_series(1, ${NODES * PER_NODE}) n JOIN categories c ON c.slug = 'c-' || (1 + n % ${NODES})`,
  );
});

/** The number of statements that `work` sends. */
async function statements(work: () => Promise<unknown>): Promise<number> {
  const sent = jest.spyOn(shop.db.sequelize, 'query');
  try {
    await work();
    return sent.mock.calls.length;
  } finally {
    sent.mockRestore();
  }
}

interface Node {
  id: string;
  productCount: number;
  children: Node[];
}
const count = (nodes: readonly Node[]): number =>
  nodes.reduce((sum, node) => sum + 1 + count(node.children), 0);

const idOf = async (n: number): Promise<string> =>
  (await firstRow<{ id: string }>(shop.db, `SELECT id FROM categories WHERE slug = 'c-' || $1`, [n]))!.id;

test('the whole tree of 2,000 with its counts is one statement', async () => {
  let tree: Node[] = [];
  const sent = await statements(async () => {
    const { status, body } = await shop.get('/categories', { includeProducts: true });
    expect(status).toBe(200);
    tree = body.data.categories;
  });
  expect(sent).toBe(1);
  expect(count(tree)).toBe(NODES);
  expect(tree[0]!.productCount).toBe(NODES * PER_NODE);
});

test('a category’s page is two statements, whether 2,000 are below it or none', async () => {
  const page = async (n: number) => {
    const id = await idOf(n);
    let total = 0;
    const sent = await statements(async () => {
      const { status, body } = await shop.get(`/categories/${id}`, { pageSize: 100 });
      expect(status).toBe(200);
      total = body.meta.pagination.total;
    });
    return { sent, total };
  };
  expect(await page(1)).toEqual({ sent: 2, total: NODES * PER_NODE });
  expect(await page(NODES)).toEqual({ sent: 2, total: PER_NODE });
});

test('the tree of administrators is one statement too', async () => {
  let found = 0;
  const sent = await statements(async () => {
    found = (await allCategories(shop.db)).length;
  });
  expect([sent, found]).toEqual([1, NODES]);
});
