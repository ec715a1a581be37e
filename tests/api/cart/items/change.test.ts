import { v7 } from 'uuid';
import { execute, firstRow } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { ChangedShape } from '../shapes';
import { ownStore } from '../store';

const store = ownStore();

test('200 with the new quantity, at the price of now', async () => {
  const { buyer, lamp, itemId } = await cartOfOne({ priceMinor: 1000 });
  await execute(store.db, 'UPDATE products SET price_minor = 900 WHERE id = $1', [lamp.id]);
  const { status, body } = await store.as(buyer).patch(`/cart/items/${itemId}`, { quantity: 3 });
  expect(status).toBe(200);
  expect(ChangedShape.parse(body.data)).toEqual({
    cartItemId: itemId,
    quantity: 3,
    unitPrice: 9,
    totalPrice: 27,
    cartSummary: { total: 27, itemCount: 1, totalQuantity: 3 },
  });
  expect(await line(itemId)).toEqual({ quantity: 3, shown: 900 });
});

test('the quantity is absolute, and changes updatedAt', async () => {
  const { buyer, itemId } = await cartOfOne({});
  const before = (await store.as(buyer).get('/cart')).body.data.updatedAt;
  for (const quantity of [5, 2, 2]) await store.as(buyer).patch(`/cart/items/${itemId}`, { quantity });
  const { body } = await store.as(buyer).get('/cart');
  expect(body.data.items[0].quantity).toBe(2);
  expect(body.data.updatedAt > before).toBe(true);
});

test('many changes at once end with one of them', async () => {
  const { buyer, itemId } = await cartOfOne({});
  const quantities = Array.from({ length: 20 }, (_, i) => i + 1);
  const answers = await Promise.all(
    quantities.map((quantity) => store.as(buyer).patch(`/cart/items/${itemId}`, { quantity })),
  );
  expect(answers.map((answer) => answer.status)).toEqual(quantities.map(() => 200));
  expect(answers.map((answer) => answer.body.data.cartSummary.totalQuantity)).toEqual(quantities);
  expect(quantities).toContain((await line(itemId))?.quantity);
});

test('400 INSUFFICIENT_STOCK, before 400 MAX_QUANTITY_EXCEEDED', async () => {
  const { buyer, itemId } = await cartOfOne({ stock: 10, maxPerLine: 5 });
  for (const [quantity, code] of [
    [11, 'INSUFFICIENT_STOCK'],
    [6, 'MAX_QUANTITY_EXCEEDED'],
  ] as const) {
    const { status, body } = await store.as(buyer).patch(`/cart/items/${itemId}`, { quantity });
    expect([status, body.error.code]).toEqual([400, code]);
  }
  expect((await line(itemId))?.quantity).toBe(1);
});

test('404 CART_ITEM_NOT_FOUND, for another’s item the same as for none', async () => {
  const { itemId } = await cartOfOne({});
  const { buyer: other } = await cartOfOne({});
  const cartless = await make.buyer(store.db);
  const answers = [
    await store.as(other).patch(`/cart/items/${itemId}`, { quantity: 2 }),
    await store.as(other).patch(`/cart/items/${v7()}`, { quantity: 2 }),
    await store.as(cartless).patch(`/cart/items/${itemId}`, { quantity: 2 }),
  ];
  expect(answers[0]!.status).toBe(404);
  expect(answers[0]!.body.error.code).toBe('CART_ITEM_NOT_FOUND');
  for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[0]!.body]);
  expect((await line(itemId))?.quantity).toBe(1);
});

test('400 VALIDATION_ERROR names the field', async () => {
  const { buyer, itemId } = await cartOfOne({});
  for (const [field, id, changes] of [
    ['id', 'x', { quantity: 1 }],
    ['quantity', itemId, {}],
    ['quantity', itemId, { quantity: 0 }],
    ['quantity', itemId, { quantity: null }],
  ] as const) {
    const { status, body } = await store.as(buyer).patch(`/cart/items/${id}`, changes);
    expect([status, body.error.code, Object.keys(body.error.details)]).toEqual([
      400,
      'VALIDATION_ERROR',
      [field],
    ]);
  }
});

test('401 UNAUTHORIZED without a token', async () => {
  const { itemId } = await cartOfOne({});
  const { status, body } = await store.as(null).patch(`/cart/items/${itemId}`, { quantity: 2 });
  expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED']);
});

async function cartOfOne(columns: { priceMinor?: number; stock?: number; maxPerLine?: number }) {
  const buyer = await make.buyer(store.db, { country: 'CH' });
  const lamp = await make.product(store.db, columns);
  const added = await store.as(buyer).post('/cart/items', { productId: lamp.id, quantity: 1 });
  return { buyer, lamp, itemId: added.body.data.cartItemId as string };
}

const line = (itemId: string) =>
  firstRow<{ quantity: number; shown: number }>(
    store.db,
    'SELECT quantity, shown_price_minor AS shown FROM cart_items WHERE id = $1',
    [itemId],
  );
