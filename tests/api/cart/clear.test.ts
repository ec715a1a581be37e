import { make } from '../../support/builders/make';
import { ClearedShape } from './shapes';
import { ownStore } from './store';

const store = ownStore();

test('200 with how many lines there were; coupons go too', async () => {
  const buyer = await make.buyer(store.db);
  const goods = [await make.product(store.db), await make.product(store.db)];
  const cartId = await make.cart(
    store.db,
    buyer.id,
    goods.map(({ id }) => ({ productId: id, quantity: 3 })),
  );
  const { code } = await make.coupon(store.db);
  const before = (await store.as(buyer).post('/cart/coupons', { code })).body.data;

  const { status, body } = await store.as(buyer).delete('/cart');
  expect(status).toBe(200);
  expect(ClearedShape.parse(body.data).itemsRemoved).toBe(2);

  await store.as(buyer).post('/cart/items', { productId: goods[0]!.id, quantity: 1 });
  const after = (await store.as(buyer).get('/cart')).body.data;
  expect(after).toMatchObject({ id: cartId, appliedCoupons: [] });
  expect(after.items).toHaveLength(1);
  expect(after.updatedAt > before.updatedAt).toBe(true);
});

test('200 with 0 where there is nothing, or no cart', async () => {
  const buyer = await make.buyer(store.db);
  expect((await store.as(buyer).delete('/cart')).body.data.itemsRemoved).toBe(0);
  await store.as(buyer).get('/cart');
  expect((await store.as(buyer).delete('/cart')).body.data.itemsRemoved).toBe(0);
});

test('the carts of others are unchanged', async () => {
  const [buyer, other] = [await make.buyer(store.db), await make.buyer(store.db)];
  const { id: productId } = await make.product(store.db);
  for (const user of [buyer, other]) await make.cart(store.db, user.id, [{ productId }]);
  await store.as(other).delete('/cart');
  expect((await store.as(buyer).get('/cart')).body.data.items).toHaveLength(1);
});

test('401 UNAUTHORIZED without a token', async () => {
  const { status, body } = await store.as(null).delete('/cart');
  expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED']);
});
