import { randomUUID } from 'node:crypto';
import { execute } from '../../../../../db/sql/query';
import { violations } from '../../../../support/checks/violations';
import { make } from '../../../../support/builders/make';
import { shopper } from '../../../../support/builders/shop';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { auditsOf } from '../product-requests';
import { held, waiting } from '../held-locks';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld();
});
afterEach(async () => expect(await violations(adminWorld.world.db)).toEqual([]));
afterAll(() => adminWorld.world.teardown());

const remove = (id: string, variantId: string, token?: string | null) =>
  adminWorld.ask('delete', `/admin/products/${id}/variants/${variantId}`, undefined, token);
const shop = async (id: string) => (await adminWorld.world.http.get(`/api/v1/products/${id}`)).body.data;

/** A product with its own stock and a variant, and a buyer with the variant in the cart. */
async function variantInCart({ stock = 100 }: { stock?: number } = {}) {
  const product = await make.product(adminWorld.world.db, { stock });
  const variant = await make.variant(adminWorld.world.db, product.id, { stock: 4 });
  const goods = { productId: product.id, variantId: variant.id };
  return { product, variant, goods, buyer: await shopper(adminWorld.world, [goods]) };
}

test('200: it leaves the shop and its stock counts at once; a cart with it cannot be ordered', async () => {
  const { product, variant, goods, buyer } = await variantInCart({ stock: 0 });
  expect(await shop(product.id)).toMatchObject({ stockQuantity: 4, status: 'ACTIVE' });

  const answer = await remove(product.id, variant.id);
  expect(answer.status).toBe(200);
  expect(answer.body.data).toEqual({
    id: variant.id,
    deletedAt: expect.any(String),
    deletedBy: adminWorld.admin.id,
  });
  expect(await shop(product.id)).toMatchObject({ stockQuantity: 0, status: 'OUT_OF_STOCK', variants: [] });
  const { body } = await adminWorld.world.http.get('/api/v1/products?status=OUT_OF_STOCK');
  expect(body.data.products.map(({ id }: { id: string }) => id)).toContain(product.id);

  expect(outcomeOf(await buyer.checkout())).toBe('400 ITEMS_UNAVAILABLE');
  expect(outcomeOf(await buyer.post('/cart/items', { ...goods, quantity: 1 }))).toBe('404 VARIANT_NOT_FOUND');
  expect((await buyer.get('/cart')).body.data.items[0].product.status).toBe('ARCHIVED');
  expect(await auditsOf(adminWorld.world.db, product.id)).toEqual([
    {
      action: 'product.delete-variant',
      previous: { variantId: variant.id, deletedAt: null },
      next: { variantId: variant.id, deletedAt: answer.body.data.deletedAt },
    },
  ]);
});

test('its SKU is free for another', async () => {
  const { product, variant } = await variantInCart();
  await remove(product.id, variant.id);
  const again = await adminWorld.ask('post', `/admin/products/${product.id}/variants`, { sku: variant.sku });
  expect(again.status).toBe(201);
});

test('400 HAS_PENDING_ORDERS while an order that is not sent contains it', async () => {
  const { product, variant, buyer } = await variantInCart();
  const { orderId } = await buyer.order();
  const orderWith = async (as: string) => {
    await execute(adminWorld.world.db, 'UPDATE orders SET status = $2 WHERE id = $1', [orderId, as]);
  };
  expect(outcomeOf(await remove(product.id, variant.id))).toBe('400 HAS_PENDING_ORDERS');
  await orderWith('SHIPPED');
  expect(outcomeOf(await remove(product.id, variant.id))).toBe('200');
  await orderWith('PENDING_PAYMENT');
});

test('an order of the product itself does not prevent it', async () => {
  const { product, variant } = await variantInCart();
  await (await shopper(adminWorld.world, [{ productId: product.id }])).order();
  expect(outcomeOf(await remove(product.id, variant.id))).toBe('200');
});

describe('raced by a checkout', () => {
  test('that began before: it is waited for, and then the variant stays', async () => {
    const { product, variant, buyer } = await variantInCart();
    const hold = await held(
      adminWorld.world.db,
      `SELECT id FROM stock_items WHERE id = '${variant.stockItemId}' FOR UPDATE`,
    );
    const ordering = buyer.checkout();
    await waiting(adminWorld.world.db, 1);
    const removing = remove(product.id, variant.id);
    await waiting(adminWorld.world.db, 2);
    await hold.release();
    expect([outcomeOf(await ordering), outcomeOf(await removing)]).toEqual(['201', '400 HAS_PENDING_ORDERS']);
  });

  test('that begins later: it waits, and then the variant is gone', async () => {
    const { product, variant, buyer } = await variantInCart();
    const hold = await held(adminWorld.world.db, 'SELECT pg_advisory_xact_lock(7310212)');
    const removing = remove(product.id, variant.id);
    await waiting(adminWorld.world.db, 1);
    const ordering = buyer.checkout();
    await waiting(adminWorld.world.db, 2);
    await hold.release();
    expect([outcomeOf(await removing), outcomeOf(await ordering)]).toEqual(['200', '400 ITEMS_UNAVAILABLE']);
  });
});

test('404 PRODUCT_NOT_FOUND and VARIANT_NOT_FOUND', async () => {
  const { product, variant } = await variantInCart();
  expect(outcomeOf(await remove(randomUUID(), variant.id))).toBe('404 PRODUCT_NOT_FOUND');
  expect(outcomeOf(await remove(product.id, randomUUID()))).toBe('404 VARIANT_NOT_FOUND');
  const other = await make.product(adminWorld.world.db);
  expect(outcomeOf(await remove(other.id, variant.id))).toBe('404 VARIANT_NOT_FOUND');
  expect((await remove(product.id, variant.id)).status).toBe(200);
  expect(outcomeOf(await remove(product.id, variant.id))).toBe('404 VARIANT_NOT_FOUND');
});

test('401 UNAUTHORIZED and 403 FORBIDDEN', async () => {
  expect(outcomeOf(await remove(randomUUID(), randomUUID(), null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await remove(randomUUID(), randomUUID(), adminWorld.tokens.user))).toBe('403 FORBIDDEN');
});
