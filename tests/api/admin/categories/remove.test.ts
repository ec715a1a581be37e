import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { auditOf } from './category.shape';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld();
});
afterAll(() => adminWorld.world.teardown());

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
    expect([outcomeOf(answer), Object.keys(answer.body.error.details)]).toEqual([
      '400 VALIDATION_ERROR',
      ['id'],
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
