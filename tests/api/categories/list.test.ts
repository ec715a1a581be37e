import { z } from 'zod';
import { execute, firstRow } from '../../../db/sql/query';
import { allCategories } from '../../../db/catalog/category/administered-category.reads';
import { make } from '../../support/builders/make';
import { ownShopWindow } from '../products/shop-window';

describe('GET /categories', () => {
  const shop = ownShopWindow();

  /** Document 1 §2.5, exactly. */
  const Category = z.strictObject({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    imageUrl: z.string().nullable(),
    parentId: z.uuid().nullable(),
    level: z.int(),
    position: z.int(),
    productCount: z.int().nullable(),
    get children() {
      return z.array(Category);
    },
    isActive: z.boolean(),
  });
  const CategoryList = z.strictObject({
    success: z.literal(true),
    data: z.strictObject({ categories: z.array(Category) }),
  });

  type Tree = z.infer<typeof Category>[];

  async function tree(query: Record<string, string | boolean> = {}): Promise<Tree> {
    const { status, body } = await shop.get('/categories', query);
    expect(status).toBe(200);
    return CategoryList.parse(body).data.categories;
  }

  /** Name, level and count of each, with what is below it. */
  const outline = (categories: Tree): unknown[] =>
    categories.map(({ name, level, productCount, children }) => [
      name,
      level,
      productCount,
      outline(children),
    ]);

  const id: Record<string, string> = {};

  beforeAll(async () => {
    const add = async (name: string, parent: string | null, position: number, isActive = true) => {
      const fields = { name, position, isActive, parentId: parent && (id[parent] ?? null) };
      id[name] = (await make.category(shop.db, fields)).id;
    };
    await add('Kitchen', null, 1);
    await add('Audio', null, 0);
    await add('Speakers', 'Audio', 1);
    await add('Headphones', 'Audio', 0);
    await add('Earbuds', 'Headphones', 0);
    await add('Hidden', null, 2, false);
    await add('Below hidden', 'Hidden', 0);
    for (const name of ['Audio', 'Earbuds', 'Earbuds', 'Speakers', 'Hidden', 'Below hidden'])
      await make.product(shop.db, { categoryId: id[name] ?? null });
    await make.product(shop.db, { categoryId: id['Speakers'] ?? null, stock: 0 });
    await make.product(shop.db, { categoryId: id['Speakers'] ?? null, status: 'DRAFT' });
    await make.product(shop.db, { categoryId: id['Speakers'] ?? null, status: 'ARCHIVED' });
  });

  test('200: the whole tree in order, without inactive categories and those below them', async () => {
    expect(outline(await tree())).toEqual([
      [
        'Audio',
        0,
        null,
        [
          ['Headphones', 1, null, [['Earbuds', 2, null, []]]],
          ['Speakers', 1, null, []],
        ],
      ],
      ['Kitchen', 0, null, []],
    ]);
    expect(await tree({ parentId: 'null' })).toEqual(await tree());
  });

  test('200: every field', async () => {
    await execute(
      shop.db,
      `UPDATE categories SET description = 'For cooks', image_url = 'https://images.example.com/k.jpg' WHERE id = $1`,
      [id['Kitchen']],
    );
    expect((await tree())[1]).toEqual({
      id: id['Kitchen'],
      name: 'Kitchen',
      slug: expect.any(String),
      description: 'For cooks',
      imageUrl: 'https://images.example.com/k.jpg',
      parentId: null,
      level: 0,
      position: 1,
      productCount: null,
      children: [],
      isActive: true,
    });
    expect((await tree())[0]?.children[0]?.parentId).toBe(id['Audio']);
  });

  test('parentId: the children of a category, at their own level', async () => {
    expect(outline(await tree({ parentId: id['Audio'] ?? '' }))).toEqual([
      ['Headphones', 1, null, [['Earbuds', 2, null, []]]],
      ['Speakers', 1, null, []],
    ]);
    expect(await tree({ parentId: id['Kitchen'] ?? '' })).toEqual([]);
    expect(await tree({ parentId: id['Hidden'] ?? '' })).toEqual([]);
    expect(await tree({ parentId: '0193b5f0-0000-7000-8000-000000000001' })).toEqual([]);
  });

  test('includeProducts: the visible products in a category and below it, as the list of products counts', async () => {
    const counted = await tree({ includeProducts: true });
    expect(outline(counted)).toEqual([
      [
        'Audio',
        0,
        5,
        [
          ['Headphones', 1, 2, [['Earbuds', 2, 2, []]]],
          ['Speakers', 1, 2, []],
        ],
      ],
      ['Kitchen', 0, 0, []],
    ]);
    for (const { id: categoryId, productCount } of counted) {
      const { body } = await shop.get('/products', { categoryId });
      expect(body.meta.pagination.total).toBe(productCount);
    }
    expect((await tree({ includeProducts: 'false' }))[0]?.productCount).toBeNull();
  });

  test('one statement, whatever the tree', async () => {
    const sent = jest.spyOn(shop.db.sequelize, 'query');
    await tree({ includeProducts: true });
    expect(sent).toHaveBeenCalledTimes(1);
    sent.mockRestore();
  });

  test.each([
    ['parentId', 'audio'],
    ['parentId', ''],
    ['includeProducts', 'perhaps'],
    ['includeProducts', ''],
  ])('400 VALIDATION_ERROR names %s=%j', async (field, value) => {
    const { status, body } = await shop.get('/categories', { [field]: value });
    expect([status, body.error.code, Object.keys(body.error.details)]).toEqual([
      400,
      'VALIDATION_ERROR',
      [field],
    ]);
  });
});

describe('a large tree', () => {
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
});
