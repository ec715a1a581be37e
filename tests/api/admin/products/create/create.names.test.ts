import { rows } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { outcomes, refusalOf, productRequest } from '../product-requests';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterAll(() => adminWorld.world.teardown());

const create = (body: object, token?: string | null) =>
  adminWorld.ask('post', '/admin/products', body, token);
const created = async (fields: Record<string, unknown> = {}) => {
  const { status, body } = await create(productRequest(fields));
  expect(status).toBe(201);
  return body.data as { id: string; slug: string };
};

describe('slugs', () => {
  test('are numbered for equal names, even for names that end with a number', async () => {
    const slugs: string[] = [];
    for (const name of ['Desk lamp', 'Desk  Lamp!', 'Desk lamp 2', 'Desk lamp', 'Desk lamp 3'])
      slugs.push((await created({ name })).slug);
    expect(slugs).toEqual(['desk-lamp', 'desk-lamp-2', 'desk-lamp-2-2', 'desk-lamp-3', 'desk-lamp-3-2']);
  });

  test('20 products of one name at once get 20 slugs', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        create(productRequest({ name: i % 2 ? 'Crowded shelf' : 'Crowded shelf 2' })),
      ),
    );
    expect(outcomes(answers)).toEqual({ '201': 20 });
    const slugs = answers.map(({ body }) => (body.data as { slug: string }).slug);
    expect(new Set(slugs).size).toBe(20);
    for (const slug of slugs) expect(slug).toMatch(/^crowded-shelf(-\d+){0,2}$/);
  });

  test('after a hundred products of one name, slugs are no longer numbered', async () => {
    await rows(
      adminWorld.world.db,
      `INSERT INTO products (id, name, slug, sku, description, price_minor, status, commission_bp, career_points_bp,
         created_at, updated_at)
       SELECT gen_random_uuid(), 'Bolt', CASE n WHEN 1 THEN 'bolt' ELSE 'bolt-' || n END, 'BOLT-' || n, 'A bolt.', 1,
         'DRAFT', 0, 0, now(), now() FROM generate_series(1, 100) n RETURNING id`,
    );
    const { id, slug } = await created({ name: 'Bolt' });
    expect(slug).toBe(`bolt-${id}`);
  });
});

describe('409 SKU_ALREADY_EXISTS', () => {
  test('of a product and of a variant', async () => {
    const product = await make.product(adminWorld.world.db);
    const variant = await make.variant(adminWorld.world.db, product.id);
    for (const { sku } of [product, variant])
      expect(refusalOf(await create(productRequest({ sku })))).toEqual({
        status: 409,
        code: 'SKU_ALREADY_EXISTS',
        fields: ['sku'],
      });
  });

  test('10 with one SKU at once, product and variant: one gets it', async () => {
    const product = await make.product(adminWorld.world.db);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        i % 2
          ? create(productRequest({ sku: 'CONTESTED' }))
          : adminWorld.ask('post', `/admin/products/${product.id}/variants`, { sku: 'CONTESTED' }),
      ),
    );
    expect(outcomes(answers)).toEqual({ '201': 1, SKU_ALREADY_EXISTS: 9 });
  });

  test('the SKU of a deleted product stays taken', async () => {
    const { id } = await created({ sku: 'USED-BEFORE' });
    expect((await adminWorld.ask('delete', `/admin/products/${id}`)).status).toBe(200);
    expect(outcomeOf(await create(productRequest({ sku: 'USED-BEFORE' })))).toBe('409 SKU_ALREADY_EXISTS');
  });
});
