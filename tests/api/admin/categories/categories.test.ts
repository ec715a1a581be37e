import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { AdminCategory, auditOf, SetCategory } from './category.shape';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterAll(() => adminWorld.world.teardown());

describe('GET /admin/categories', () => {
  const id: Record<string, string> = {};
  beforeAll(async () => {
    const { db } = adminWorld.world;
    const add = async (name: string, parent: string | null, position: number, isActive = true) => {
      const fields = { name, position, isActive, parentId: parent && (id[parent] ?? null) };
      id[name] = (await make.category(db, fields)).id;
    };
    await add('Kitchen', null, 1);
    await add('Audio', null, 0);
    await add('Hidden', 'Audio', 1, false);
    await add('Speakers', 'Audio', 0);
    await add('Below', 'Hidden', 0);
    const put = (name: string, status?: 'DRAFT' | 'ARCHIVED' | 'OUT_OF_STOCK') =>
      make.product(db, { categoryId: id[name] ?? null, ...(status && { status }) });
    await put('Audio');
    await put('Audio', 'DRAFT');
    await put('Below');
    await put('Below', 'OUT_OF_STOCK');
    const gone = await put('Below', 'ARCHIVED');
    await execute(db, 'UPDATE products SET deleted_at = now() WHERE id = $1', [gone.id]);
  });

  const List = z.strictObject({ categories: z.array(AdminCategory) });
  async function listed(query = '') {
    const answer = await adminWorld.ask('get', `/admin/categories${query}`);
    expect(outcomeOf(answer)).toBe('200');
    return List.parse(answer.body.data).categories;
  }
  type Listed = Awaited<ReturnType<typeof listed>>[number];
  const line = ({ name, level, isActive, productCount, ownProductCount }: Listed) =>
    `${level} ${name} ${isActive} ${productCount}/${ownProductCount}`;
  const lines = [
    '0 Audio true 3/2',
    '1 Speakers true 0/0',
    '1 Hidden false 2/0',
    '2 Below true 2/2',
    '0 Kitchen true 0/0',
  ];

  test('200: a tree with inactive categories, and the number of products in each', async () => {
    const tree = await listed();
    const walk = (nodes: readonly Listed[]): string[] =>
      nodes.flatMap((node) => [line(node), ...walk(node.children)]);
    expect(walk(tree)).toEqual(lines);
    expect(await listed('?view=tree')).toEqual(tree);
    expect(tree[1]).toEqual({
      id: id['Kitchen'],
      name: 'Kitchen',
      slug: expect.any(String),
      description: null,
      imageUrl: null,
      parentId: null,
      position: 1,
      isActive: true,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      level: 0,
      productCount: 0,
      ownProductCount: 0,
      children: [],
    });
  });

  test('200: the same as one list, each followed by the categories below it', async () => {
    const list = await listed('?view=flat');
    expect(list.map(line)).toEqual(lines);
    expect(list.flatMap(({ children }) => children)).toEqual([]);
  });

  test('400 VALIDATION_ERROR for another view; for administrators only', async () => {
    const answer = await adminWorld.ask('get', '/admin/categories?view=cloud');
    expect([outcomeOf(answer), Object.keys(answer.body.error.details)]).toEqual([
      '400 VALIDATION_ERROR',
      ['view'],
    ]);
    expect(outcomeOf(await adminWorld.ask('get', '/admin/categories', undefined, null))).toBe(
      '401 UNAUTHORIZED',
    );
    expect(
      outcomeOf(await adminWorld.ask('get', '/admin/categories', undefined, adminWorld.tokens.user)),
    ).toBe('403 FORBIDDEN');
  });
});

describe('POST /admin/categories', () => {
  const create = (body: object, token?: string | null) =>
    adminWorld.ask('post', '/admin/categories', body, token);
  async function created(body: object) {
    const answer = await create(body);
    expect(outcomeOf(answer)).toBe('201');
    return SetCategory.parse(answer.body.data);
  }
  const seen = async (path: string) => (await adminWorld.world.http.get(`/api/v1${path}`)).body.data;

  test('201: every field, with an audit record, and visitors see it at once', async () => {
    const parent = await make.category(adminWorld.world.db);
    expect((await seen(`/categories/${parent.id}`)).children).toEqual([]);
    const request = {
      name: '  Travel headphones ',
      slug: 'Travel-Headphones',
      description: 'Small ones that fold.',
      imageUrl: 'https://images.example.com/h.jpg',
      parentId: parent.id,
      position: 7,
      isActive: true,
    };
    const category = await created(request);
    expect(category).toMatchObject({ ...request, name: 'Travel headphones', slug: 'travel-headphones' });
    const { id, createdAt: _createdAt, updatedAt: _updatedAt, ...settings } = category;
    expect(await auditOf(adminWorld.world.db, id)).toEqual([
      {
        action: 'category.create',
        actorId: adminWorld.admin.id,
        previous: null,
        next: settings,
        clientAddress: expect.stringMatching(/127\.0\.0\.1|::1/) as string,
      },
    ]);
    expect((await seen(`/categories/${parent.id}`)).children).toEqual([
      { id, name: 'Travel headphones', slug: 'travel-headphones', productCount: 0 },
    ]);
  });

  test('201: fields left out are empty, made from the name, or last', async () => {
    const parentId = (await make.category(adminWorld.world.db)).id;
    expect(await created({ name: 'Café & Küche', parentId })).toMatchObject({
      slug: 'cafe-kuche',
      description: null,
      imageUrl: null,
      position: 0,
      isActive: true,
    });
    expect(await created({ name: 'CAFE kuche!', parentId })).toMatchObject({
      slug: 'cafe-kuche-2',
      position: 1,
    });
    expect(await created({ name: 'Café Küche', parentId, isActive: false })).toMatchObject({
      slug: 'cafe-kuche-3',
      position: 2,
      isActive: false,
    });
    expect(await created({ name: '!!!' })).toMatchObject({ slug: 'category', parentId: null });
  });

  test('201: the same request with its key makes one', async () => {
    const ask = () =>
      adminWorld.world.http
        .post('/api/v1/admin/categories')
        .auth(adminWorld.tokens.admin, { type: 'bearer' })
        .set('idempotency-key', 'one-category')
        .send({ name: 'Only one' });
    const [first, second] = [await ask(), await ask()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    const { slug } = await created({ name: 'Only one' });
    expect(slug).toBe('only-one-2');
  });

  test('201: twenty at once with one name get different slugs and positions', async () => {
    const parentId = (await make.category(adminWorld.world.db)).id;
    const all = await Promise.all(Array.from({ length: 20 }, () => created({ name: 'At once', parentId })));
    expect(new Set(all.map(({ slug }) => slug)).size).toBe(20);
    expect(all.map(({ position }) => position).sort((a, b) => a - b)).toEqual([...Array(20).keys()]);
  });

  test('409 SLUG_ALREADY_EXISTS for a requested slug', async () => {
    const { slug } = await created({ name: 'Taken' });
    expect(outcomeOf(await create({ name: 'Other', slug }))).toBe('409 SLUG_ALREADY_EXISTS');
    expect(outcomeOf(await create({ name: 'Other', slug: slug.toUpperCase() }))).toBe(
      '409 SLUG_ALREADY_EXISTS',
    );
  });

  test('404 CATEGORY_NOT_FOUND names parentId', async () => {
    const answer = await create({ name: 'Orphan', parentId: randomUUID() });
    expect([outcomeOf(answer), Object.keys(answer.body.error.details)]).toEqual([
      '404 CATEGORY_NOT_FOUND',
      ['parentId'],
    ]);
  });

  test('400 VALIDATION_ERROR names parentId when the tree would become too deep', async () => {
    let parentId: string | null = null;
    for (let level = 0; level < 20; level++)
      parentId = (await make.category(adminWorld.world.db, { parentId })).id;
    const answer = await create({ name: 'Too deep', parentId });
    expect([outcomeOf(answer), Object.keys(answer.body.error.details)]).toEqual([
      '400 VALIDATION_ERROR',
      ['parentId'],
    ]);
  });

  test.each([
    ['name', {}],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 'a\u0000b' }],
    ['slug', { name: 'a', slug: 'two words' }],
    ['slug', { name: 'a', slug: '-a' }],
    ['slug', { name: 'a', slug: '' }],
    ['description', { name: 'a', description: 'x'.repeat(2_001) }],
    ['imageUrl', { name: 'a', imageUrl: 'javascript:alert(1)' }],
    ['imageUrl', { name: 'a', imageUrl: 'https://x.example/"onload=' }],
    ['parentId', { name: 'a', parentId: 'audio' }],
    ['position', { name: 'a', position: -1 }],
    ['position', { name: 'a', position: 1e12 }],
    ['isActive', { name: 'a', isActive: 'yes' }],
  ])('400 VALIDATION_ERROR names %s', async (field, body) => {
    const answer = await create(body);
    expect([outcomeOf(answer), Object.keys(answer.body.error.details)]).toEqual([
      '400 VALIDATION_ERROR',
      [field],
    ]);
  });

  test('for administrators only', async () => {
    expect(outcomeOf(await create({ name: 'a' }, null))).toBe('401 UNAUTHORIZED');
    expect(outcomeOf(await create({ name: 'a' }, adminWorld.tokens.user))).toBe('403 FORBIDDEN');
  });
});

describe('DELETE /admin/categories/:id', () => {
  const remove = (id: string, token?: string | null) =>
    adminWorld.ask('delete', `/admin/categories/${id}`, undefined, token);
  const seen = async (path: string) => (await adminWorld.world.http.get(`/api/v1${path}`)).status;

  test('200: it is removed at once, with an audit record', async () => {
    const { id, name, slug } = await make.category(adminWorld.world.db);
    expect(await seen(`/categories/${id}`)).toBe(200);
    const answer = await remove(id);
    expect(outcomeOf(answer)).toBe('200');
    const Removed = z.strictObject({ message: z.string().min(1), categoryId: z.literal(id) });
    Removed.parse(answer.body.data);
    expect(await seen(`/categories/${id}`)).toBe(404);
    expect(await auditOf(adminWorld.world.db, id)).toEqual([
      expect.objectContaining({
        action: 'category.delete',
        actorId: adminWorld.admin.id,
        previous: { name, slug, parentId: null, deletedAt: null },
        next: { deletedAt: expect.any(String) as string },
      }),
    ]);
    expect(outcomeOf(await remove(id))).toBe('404 CATEGORY_NOT_FOUND');
  });

  test('400 VALIDATION_ERROR while a subcategory or a product of whatever status is in it', async () => {
    const { db } = adminWorld.world;
    const top = await make.category(db);
    const child = await make.category(db, { parentId: top.id, isActive: false });
    expect(outcomeOf(await remove(top.id))).toBe('400 VALIDATION_ERROR');
    for (const status of ['ACTIVE', 'DRAFT', 'ARCHIVED', 'OUT_OF_STOCK'] as const) {
      const product = await make.product(db, { categoryId: child.id, status });
      const answer = await remove(child.id);
      expect([outcomeOf(answer), answer.body.error.reason]).toEqual([
        '400 VALIDATION_ERROR',
        'CATEGORY_HAS_PRODUCTS',
      ]);
      await execute(db, 'UPDATE products SET category_id = NULL WHERE id = $1', [product.id]);
    }
    expect([outcomeOf(await remove(child.id)), outcomeOf(await remove(top.id))]).toEqual(['200', '200']);
  });

  test('200: deleted products do not prevent it', async () => {
    const { db } = adminWorld.world;
    const { id } = await make.category(db);
    const product = await make.product(db, { categoryId: id, tags: ['x'] });
    await execute(db, `UPDATE products SET status = 'ARCHIVED', deleted_at = now() WHERE id = $1`, [
      product.id,
    ]);
    expect(outcomeOf(await remove(id))).toBe('200');
    expect(await rows(db, 'SELECT category_id FROM products WHERE id = $1', [product.id])).toEqual([
      { categoryId: null },
    ]);
    expect(await rows(db, 'SELECT 1 FROM catalogue_counts WHERE category_id = $1', [id])).toEqual([]);
  });

  test('while a product is put into it, one of the two happens', async () => {
    const { db } = adminWorld.world;
    for (let round = 0; round < 10; round++) {
      const { id } = await make.category(db);
      const [answer, made] = await Promise.all([
        remove(id),
        make.product(db, { categoryId: id }).then(
          () => true,
          () => false,
        ),
      ]);
      expect(outcomeOf(answer)).toBe(made ? '400 VALIDATION_ERROR' : '200');
      expect(await seen(`/categories/${id}`)).toBe(made ? 200 : 404);
    }
  });

  test('404 CATEGORY_NOT_FOUND, and for administrators only', async () => {
    const { id } = await make.category(adminWorld.world.db);
    expect(outcomeOf(await remove(randomUUID()))).toBe('404 CATEGORY_NOT_FOUND');
    expect(outcomeOf(await remove(id, null))).toBe('401 UNAUTHORIZED');
    expect(outcomeOf(await remove(id, adminWorld.tokens.user))).toBe('403 FORBIDDEN');
  });
});
