import { v7 } from 'uuid';
import { make } from '../../../support/builders/make';
import { RemovedShape } from '../shapes';
import { ownStore } from '../store';

const store = ownStore();

test('200 with what is left', async () => {
  const { buyer, itemIds } = await cartOfTwo();
  const before = (await store.as(buyer).get('/cart')).body.data.updatedAt;
  const { status, body } = await store.as(buyer).delete(`/cart/items/${itemIds[0]}`);
  expect(status).toBe(200);
  expect(RemovedShape.parse(body.data)).toMatchObject({
    cartItemId: itemIds[0],
    cartSummary: { total: 25, itemCount: 1, totalQuantity: 1 },
  });
  const left = (await store.as(buyer).get('/cart')).body.data;
  expect(left.items.map((item: { id: string }) => item.id)).toEqual([itemIds[1]]);
  expect(left.updatedAt > before).toBe(true);
});

test('20 at once remove it once', async () => {
  const { buyer, itemIds } = await cartOfTwo();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => store.as(buyer).delete(`/cart/items/${itemIds[0]}`)),
  );
  const statuses = answers.map((answer) => answer.status).sort();
  expect(statuses).toEqual([200, ...Array(19).fill(404)]);
});

test('404 CART_ITEM_NOT_FOUND, for another’s item the same as for none', async () => {
  const { buyer, itemIds } = await cartOfTwo();
  const { buyer: other } = await cartOfTwo();
  const foreign = await store.as(other).delete(`/cart/items/${itemIds[0]}`);
  const random = await store.as(other).delete(`/cart/items/${v7()}`);
  expect([foreign.status, foreign.body.error.code]).toEqual([404, 'CART_ITEM_NOT_FOUND']);
  expect([random.status, random.body]).toEqual([foreign.status, foreign.body]);
  expect((await store.as(buyer).get('/cart')).body.data.items).toHaveLength(2);
});

test('400 VALIDATION_ERROR for an id that is none', async () => {
  const { buyer } = await cartOfTwo();
  const { status, body } = await store.as(buyer).delete('/cart/items/x');
  expect([status, body.error.code, Object.keys(body.error.details)]).toEqual([
    400,
    'VALIDATION_ERROR',
    ['id'],
  ]);
});

test('401 UNAUTHORIZED without a token', async () => {
  const { status, body } = await store.as(null).delete(`/cart/items/${v7()}`);
  expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED']);
});

async function cartOfTwo() {
  const buyer = await make.buyer(store.db, { country: 'CH' });
  const itemIds: string[] = [];
  for (let i = 0; i < 2; i++) {
    const { id: productId } = await make.product(store.db);
    const added = await store.as(buyer).post('/cart/items', { productId, quantity: 1 });
    itemIds.push(added.body.data.cartItemId);
  }
  return { buyer, itemIds };
}
