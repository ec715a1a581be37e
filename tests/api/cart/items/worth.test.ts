import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { ownStore } from '../store';

const store = ownStore();

test('a cart is never worth more than an order can be, and is shown when its prices have risen beyond that', async () => {
  const buyer = await make.buyer(store.db, { country: 'CH' });
  const { id: productId } = await make.product(store.db, { priceMinor: 600_000_000_000_000 });
  const add = () => store.as(buyer).post('/cart/items', { productId, variantId: null, quantity: 1 });
  const added = await add();
  expect(added.status).toBe(201);
  const tooMuch = ['makes the cart worth more than an order can be'];
  for (const { status, body } of [
    await add(),
    await store.as(buyer).patch(`/cart/items/${added.body.data.cartItemId}`, { quantity: 2 }),
  ])
    expect([status, body.error.code, body.error.details]).toEqual([
      400,
      'VALIDATION_ERROR',
      { quantity: tooMuch },
    ]);
  await execute(store.db, 'UPDATE products SET price_minor = 1200000000000000 WHERE id = $1', [productId]);
  const { status, body } = await store.as(buyer).get('/cart');
  expect([status, body.data.summary.total]).toEqual([200, 9_999_999_999_999.99]);
});
