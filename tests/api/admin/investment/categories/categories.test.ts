import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { rows } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../../admin-world';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterAll(() => adminWorld.world.teardown());

const Category = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  imageUrl: z.string().nullable(),
  isActive: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
const PATH = '/admin/investment-categories';
const create = (body: object, token: string | null = adminWorld.tokens.superAdmin) =>
  adminWorld.ask('post', PATH, body, token);
const change = (id: string, body: object, token: string | null = adminWorld.tokens.superAdmin) =>
  adminWorld.ask('patch', `${PATH}/${id}`, body, token);
const visible = async (): Promise<string[]> => {
  const { body } = await adminWorld.world.http.get('/api/v1/investment/categories');
  return body.data.categories.map(({ name }: { name: string }) => name);
};
const auditOf = (id: string) =>
  rows<{ action: string; actorId: string; previous: object | null; next: object }>(
    adminWorld.world.db,
    `SELECT action, actor_id, previous, next FROM audit_records
      WHERE entity_type = 'investment-category' AND entity_id = $1 ORDER BY sequence`,
    [id],
  );

test('201: a category is made with a slug of its own; visitors see it at once, and a strategy can be in it', async () => {
  const name = `Real estate ${randomUUID()}`;
  const answer = await create({ name });
  expect(outcomeOf(answer)).toBe('201');
  const made = Category.parse(answer.body.data);
  expect(made).toMatchObject({ name, description: null, imageUrl: null, isActive: true });
  expect(await visible()).toContain(name);
  await make.strategy(adminWorld.world.db, { categoryId: made.id });
  const again = Category.parse((await create({ name })).body.data);
  expect(again.slug).toBe(`${made.slug}-2`);

  const list = await adminWorld.ask('get', PATH);
  const shown = list.body.data.categories as (z.output<typeof Category> & { strategiesCount: number })[];
  expect(shown.find(({ id }) => id === made.id)).toEqual({ ...made, strategiesCount: 1 });
  expect(shown.map((one) => one.name.toLowerCase())).toEqual(
    shown.map((one) => one.name.toLowerCase()).sort(),
  );
  expect(await auditOf(made.id)).toMatchObject([
    {
      action: 'investment-category.create',
      actorId: adminWorld.superAdmin.id,
      previous: null,
      next: { name },
    },
  ]);
});

test('200: changes what is sent and nothing else, with an audit record; an inactive one is hidden', async () => {
  const name = `Bonds ${randomUUID()}`;
  const { id } = (await create({ name, description: 'Old' })).body.data;
  const answer = await change(id, { description: null, isActive: false });
  expect(outcomeOf(answer)).toBe('200');
  expect(Category.parse(answer.body.data)).toMatchObject({ id, name, description: null, isActive: false });
  expect(await visible()).not.toContain(name);
  expect(await change(id, { isActive: false })).toMatchObject({ status: 200 });
  expect((await auditOf(id)).slice(1)).toMatchObject([
    { action: 'investment-category.update', previous: { description: 'Old', isActive: true } },
  ]);
});

test('409 SLUG_ALREADY_EXISTS, also when ten ask for one slug at once', async () => {
  const slug = `slug-${randomUUID()}`;
  const answers = await Promise.all(Array.from({ length: 10 }, () => create({ name: 'One', slug })));
  expect(answers.map(outcomeOf).sort()).toEqual(['201', ...Array<string>(9).fill('409 SLUG_ALREADY_EXISTS')]);
  const { id } = (await create({ name: 'Another' })).body.data;
  expect(outcomeOf(await change(id, { slug }))).toBe('409 SLUG_ALREADY_EXISTS');
});

test('404 CATEGORY_NOT_FOUND', async () => {
  expect(outcomeOf(await change(randomUUID(), { name: 'x' }))).toBe('404 CATEGORY_NOT_FOUND');
});

test.each([
  [{ name: '' }, 'name'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ name: 'x', slug: 'Not a slug!' }, 'slug'],
  [{ name: 'x', imageUrl: 'javascript:alert(1)' }, 'imageUrl'],
  [{ name: 'x', isActive: 'yes' }, 'isActive'],
])('400 VALIDATION_ERROR for %j names the field', async (body, field) => {
  const answer = await create(body);
  expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
  expect(Object.keys(answer.body.error.details)).toEqual([field]);
});

test('400 VALIDATION_ERROR with the reason TOO_MANY_CATEGORIES beyond 200', async () => {
  const { db } = adminWorld.world;
  const [before] = await rows<{ count: number }>(
    db,
    'SELECT count(*)::int AS count FROM investment_categories',
  );
  for (let n = before!.count; n < 200; n++) await make.strategyCategory(db);
  const answer = await create({ name: 'One more' });
  expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
  expect(answer.body.error.reason).toBe('TOO_MANY_CATEGORIES');
});

test('an ADMIN reads the categories; only a SUPER_ADMIN writes them', async () => {
  const { admin } = adminWorld.tokens;
  expect(outcomeOf(await adminWorld.ask('get', PATH, undefined, admin))).toBe('200');
  const { id } = await make.strategyCategory(adminWorld.world.db);
  expect(outcomeOf(await create({ name: 'x' }, admin))).toBe('403 FORBIDDEN');
  expect(outcomeOf(await change(id, { name: 'x' }, admin))).toBe('403 FORBIDDEN');
  expect(await auditOf(id)).toEqual([]);
});
