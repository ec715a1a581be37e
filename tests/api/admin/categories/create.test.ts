import { randomUUID } from 'node:crypto';
import { make } from '../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { auditOf, SetCategory } from './category.shape';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld();
});
afterAll(() => adminWorld.world.teardown());

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
