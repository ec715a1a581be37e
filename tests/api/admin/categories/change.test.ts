import { randomUUID } from 'node:crypto';
import { make } from '../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { auditOf, SetCategory } from './category.shape';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterAll(() => adminWorld.world.teardown());

const change = (id: string, body: object, token?: string | null) =>
  adminWorld.ask('patch', `/admin/categories/${id}`, body, token);
const category = async (parentId: string | null = null) =>
  (await make.category(adminWorld.world.db, { parentId })).id;
const seen = (path: string) => adminWorld.world.http.get(`/api/v1${path}`);

test('200: changes the fields sent and nothing else, with an audit record; visitors see it at once', async () => {
  const [id, parentId] = [await category(), await category()];
  const before = (await seen(`/categories/${id}`)).body.data;
  const request = {
    name: 'Renamed',
    slug: 'renamed',
    description: 'New',
    imageUrl: 'http://images.example.com/n.jpg',
    parentId,
    position: 3,
  };
  const answer = await change(id, request);
  expect(outcomeOf(answer)).toBe('200');
  const changed = SetCategory.parse(answer.body.data);
  expect(changed).toMatchObject({ id, ...request, isActive: true });
  expect(Date.parse(changed.updatedAt)).toBeGreaterThan(Date.parse(changed.createdAt));
  expect((await seen(`/categories/${id}`)).body.data).toMatchObject({
    name: 'Renamed',
    parent: { id: parentId },
  });
  const [record, ...more] = await auditOf(adminWorld.world.db, id);
  expect(more).toEqual([]);
  expect(record).toMatchObject({
    action: 'category.update',
    actorId: adminWorld.admin.id,
    previous: {
      name: before.name,
      slug: before.slug,
      description: null,
      imageUrl: null,
      parentId: null,
      position: 0,
    },
    next: request,
  });
  expect(record!.previous).not.toHaveProperty('isActive');
});

test('200: null empties a field and moves the category to the top', async () => {
  const id = await category(await category());
  await change(id, { description: 'x', imageUrl: 'https://x.example/x' });
  const { body } = await change(id, { description: null, imageUrl: null, parentId: null });
  expect(body.data).toMatchObject({ description: null, imageUrl: null, parentId: null });
});

test('200: without a field or a difference, nothing changes and nothing is recorded', async () => {
  const id = await category();
  const { body } = await change(id, {});
  const same = await change(id, { name: body.data.name, parentId: null, id: randomUUID() });
  expect(same.body).toEqual({ ...body, meta: { ignored: ['id'] } });
  expect(await auditOf(adminWorld.world.db, id)).toEqual([]);
});

test('200: made inactive, it and all below it disappear for visitors at once; made active, they are back', async () => {
  const top = await category();
  const child = await category(top);
  const { id: product } = await make.product(adminWorld.world.db, { categoryId: child });
  const look = async () => [
    (await seen(`/categories/${child}`)).status,
    (await seen(`/products/${product}`)).body.data.category?.id,
    (await seen(`/products?categoryId=${child}`)).body.meta.pagination.total,
  ];
  expect(await look()).toEqual([200, child, 1]);
  await change(top, { isActive: false });
  expect(await look()).toEqual([404, undefined, 0]);
  await change(top, { isActive: true });
  expect(await look()).toEqual([200, child, 1]);
});

describe('400 VALIDATION_ERROR names parentId', () => {
  const refused = async (id: string, parentId: string) => {
    const answer = await change(id, { parentId });
    expect([outcomeOf(answer), Object.keys(answer.body.error.details)]).toEqual([
      '400 VALIDATION_ERROR',
      ['parentId'],
    ]);
    expect(await auditOf(adminWorld.world.db, id)).toEqual([]);
  };

  test('for a move under itself, its child, its grandchild', async () => {
    const top = await category();
    const child = await category(top);
    const grandchild = await category(child);
    for (const parentId of [top, child, grandchild]) await refused(top, parentId);
    expect(outcomeOf(await change(grandchild, { parentId: top }))).toBe('200');
  });

  test('for a move that makes the tree too deep', async () => {
    let deep = await category();
    for (let level = 1; level < 18; level++) deep = await category(deep);
    const top = await category();
    const middle = await category(top);
    await category(middle);
    await refused(top, deep);
    expect(outcomeOf(await change(middle, { parentId: deep }))).toBe('200');
  });
});

test('of moves at once, each allowed by itself, only those that make no cycle happen', async () => {
  const ring = await Promise.all(Array.from({ length: 6 }, () => category()));
  const moves = ring.flatMap((id, i) => [1, 2, 3].map((step) => [id, ring[(i + step) % 6]!] as const));
  const outcomes = await Promise.all(
    moves.map(async ([id, parentId]) => outcomeOf(await change(id, { parentId }))),
  );
  expect(new Set(outcomes)).toEqual(new Set(['200', '400 VALIDATION_ERROR']));
  for (const id of ring) {
    const { status, body } = await seen(`/categories/${id}`);
    expect(status).toBe(200);
    const path = body.data.breadcrumb.map((link: { id: string }) => link.id);
    expect(new Set(path).size).toBe(path.length);
    expect(path.length).toBeLessThanOrEqual(6);
  }
});

test('two categories that each move below the other: one move is refused', async () => {
  for (let round = 0; round < 10; round++) {
    const [one, two] = [await category(), await category()];
    const answers = await Promise.all([change(one, { parentId: two }), change(two, { parentId: one })]);
    expect(answers.map(outcomeOf).sort()).toEqual(['200', '400 VALIDATION_ERROR']);
  }
});

test('409 SLUG_ALREADY_EXISTS for the slug of another, not for its own', async () => {
  const [one, two] = [await category(), await category()];
  const { slug } = (await change(one, { name: 'One' })).body.data;
  expect(outcomeOf(await change(two, { slug }))).toBe('409 SLUG_ALREADY_EXISTS');
  expect(outcomeOf(await change(one, { slug }))).toBe('200');
});

test('404 CATEGORY_NOT_FOUND for itself and, with parentId, for its parent', async () => {
  expect(outcomeOf(await change(randomUUID(), { name: 'x' }))).toBe('404 CATEGORY_NOT_FOUND');
  const answer = await change(await category(), { parentId: randomUUID() });
  expect([outcomeOf(answer), Object.keys(answer.body.error.details)]).toEqual([
    '404 CATEGORY_NOT_FOUND',
    ['parentId'],
  ]);
});

test.each([
  ['name', { name: '' }],
  ['slug', { slug: 'a--b' }],
  ['slug', { slug: null }],
  ['imageUrl', { imageUrl: 'data:text/html,x' }],
  ['parentId', { parentId: 1 }],
  ['position', { position: 1.5 }],
  ['isActive', { isActive: null }],
])('400 VALIDATION_ERROR names %s', async (field, body) => {
  const answer = await change(await category(), body);
  expect([outcomeOf(answer), Object.keys(answer.body.error.details)]).toEqual([
    '400 VALIDATION_ERROR',
    [field],
  ]);
});

test('for administrators only', async () => {
  const id = await category();
  expect(outcomeOf(await change(id, {}, null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await change(id, {}, adminWorld.tokens.user))).toBe('403 FORBIDDEN');
});
