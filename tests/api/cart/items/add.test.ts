import { v7 } from 'uuid';
import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { AddedShape } from '../shapes';
import { ownStore } from '../store';

const store = ownStore();

test('201 with the line and what the cart now comes to', async () => {
  await make.taxRate(store.db, 'DE', 1900);
  const buyer = await make.buyer(store.db, { country: 'DE' });
  const lamp = await make.product(store.db, { priceMinor: 1000 });
  const { status, body } = await store.as(buyer).post('/cart/items', { productId: lamp.id, quantity: 2 });
  expect(status).toBe(201);
  expect(AddedShape.parse(body.data)).toMatchObject({
    product: { id: lamp.id, name: lamp.name },
    quantity: 2,
    unitPrice: 10,
    totalPrice: 20,
    cartSummary: { total: 23.8, itemCount: 1, totalQuantity: 2 },
  });
});

test('goods that the cart holds are added to their line, at the price of now', async () => {
  const buyer = await make.buyer(store.db, { country: 'CH' });
  const lamp = await make.product(store.db, { priceMinor: 1000 });
  const first = await store.as(buyer).post('/cart/items', { productId: lamp.id, quantity: 2 });
  await execute(store.db, 'UPDATE products SET price_minor = 1100 WHERE id = $1', [lamp.id]);
  const second = await store.as(buyer).post('/cart/items', { productId: lamp.id, quantity: 3 });
  expect(second.body.data).toMatchObject({
    cartItemId: first.body.data.cartItemId,
    quantity: 5,
    unitPrice: 11,
    totalPrice: 55,
    cartSummary: { total: 55, itemCount: 1, totalQuantity: 5 },
  });
  expect(await lines(buyer.id)).toEqual([{ quantity: 5, shown: 1100 }]);
});

test('a variant is a line of its own, at its own price', async () => {
  const buyer = await make.buyer(store.db, { country: 'CH' });
  const shirt = await make.product(store.db, { priceMinor: 1000 });
  const large = await make.variant(store.db, shirt.id, { priceMinor: 1200 });
  await store.as(buyer).post('/cart/items', { productId: shirt.id, quantity: 1 });
  const body = { productId: shirt.id, variantId: large.id, quantity: 2 };
  const added = await store.as(buyer).post('/cart/items', body);
  expect(added.body.data).toMatchObject({
    quantity: 2,
    unitPrice: 12,
    cartSummary: { itemCount: 2, total: 34 },
  });
});

test('every change of the cart changes its updatedAt', async () => {
  const buyer = await make.buyer(store.db);
  const lamp = await make.product(store.db);
  const seen = new Set<string>();
  for (let i = 0; i < 5; i++) {
    await store.as(buyer).post('/cart/items', { productId: lamp.id, quantity: 1 });
    seen.add((await store.as(buyer).get('/cart')).body.data.updatedAt);
  }
  expect(seen.size).toBe(5);
});

test('what lay in a cart for over 90 days does not come back with new goods', async () => {
  const buyer = await make.buyer(store.db);
  const [old, fresh] = [await make.product(store.db), await make.product(store.db)];
  const cartId = await make.cart(store.db, buyer.id, [{ productId: old.id }]);
  await execute(store.db, `UPDATE carts SET updated_at = now() - interval '91 days' WHERE id = $1`, [cartId]);
  const { status, body } = await store.as(buyer).post('/cart/items', { productId: fresh.id, quantity: 1 });
  expect([status, body.data.cartSummary.itemCount]).toEqual([201, 1]);
});

describe('refused', () => {
  const refused = async (goods: { productId: string; variantId?: string; quantity?: number }) => {
    const buyer = await make.buyer(store.db);
    const { status, body } = await store.as(buyer).post('/cart/items', { quantity: 1, ...goods });
    expect(await lines(buyer.id)).toEqual([]);
    return [status, body.error.code];
  };

  test('404 PRODUCT_NOT_FOUND for goods that are not there, or only a draft', async () => {
    const draft = await make.product(store.db, { status: 'DRAFT', stock: 0 });
    expect(await refused({ productId: v7() })).toEqual([404, 'PRODUCT_NOT_FOUND']);
    expect(await refused({ productId: draft.id })).toEqual([404, 'PRODUCT_NOT_FOUND']);
    // The variants of a draft are not revealed either.
    expect(await refused({ productId: draft.id, variantId: v7() })).toEqual([404, 'PRODUCT_NOT_FOUND']);
  });

  test('404 VARIANT_NOT_FOUND for a variant that is not there, or is another product’s', async () => {
    const [shirt, shoe] = [await make.product(store.db), await make.product(store.db)];
    const { id: shoeSize } = await make.variant(store.db, shoe.id);
    expect(await refused({ productId: shirt.id, variantId: v7() })).toEqual([404, 'VARIANT_NOT_FOUND']);
    expect(await refused({ productId: shirt.id, variantId: shoeSize })).toEqual([404, 'VARIANT_NOT_FOUND']);
  });

  test('400 PRODUCT_UNAVAILABLE for goods taken off sale or said to be out of stock', async () => {
    for (const status of ['ARCHIVED', 'OUT_OF_STOCK'] as const) {
      const { id } = await make.product(store.db, { status, stock: 0 });
      expect(await refused({ productId: id })).toEqual([400, 'PRODUCT_UNAVAILABLE']);
    }
  });

  test('400 INSUFFICIENT_STOCK for more than there are, before the line’s own limit', async () => {
    const few = await make.product(store.db, { stock: 3, maxPerLine: 2 });
    const none = await make.product(store.db, { stock: 0 });
    expect(await refused({ productId: few.id, quantity: 4 })).toEqual([400, 'INSUFFICIENT_STOCK']);
    expect(await refused({ productId: none.id })).toEqual([400, 'INSUFFICIENT_STOCK']);
    const shirt = await make.product(store.db, { stock: 100 });
    const small = await make.variant(store.db, shirt.id, { stock: 1 });
    const two = { productId: shirt.id, variantId: small.id, quantity: 2 };
    expect(await refused(two)).toEqual([400, 'INSUFFICIENT_STOCK']);
  });

  test('400 MAX_QUANTITY_EXCEEDED for more than a line may hold, however many', async () => {
    const limited = await make.product(store.db, { stock: 50, maxPerLine: 5 });
    const plenty = await make.product(store.db, { stock: null });
    expect(await refused({ productId: limited.id, quantity: 6 })).toEqual([400, 'MAX_QUANTITY_EXCEEDED']);
    expect(await refused({ productId: plenty.id, quantity: 101 })).toEqual([400, 'MAX_QUANTITY_EXCEEDED']);
    const absurd = { productId: plenty.id, quantity: Number.MAX_SAFE_INTEGER };
    expect(await refused(absurd)).toEqual([400, 'MAX_QUANTITY_EXCEEDED']);
  });

  test('400 VALIDATION_ERROR names the field', async () => {
    const buyer = await make.buyer(store.db);
    const { id: productId } = await make.product(store.db);
    const bad: [string, object][] = [
      ['quantity', { productId }],
      ['quantity', { productId, quantity: 0 }],
      ['quantity', { productId, quantity: 1.5 }],
      ['quantity', { productId, quantity: '1' }],
      ['quantity', { productId, quantity: 1e300 }],
      ['productId', { quantity: 1 }],
      ['productId', { productId: 'x', quantity: 1 }],
      ['variantId', { productId, variantId: 'x', quantity: 1 }],
    ];
    for (const [field, request] of bad) {
      const { status, body } = await store.as(buyer).post('/cart/items', request);
      expect([status, body.error.code, Object.keys(body.error.details)]).toEqual([
        400,
        'VALIDATION_ERROR',
        [field],
      ]);
    }
  });

  test('goods that come in variants are also sold as they are, from their own stock', async () => {
    const buyer = await make.buyer(store.db);
    const shirt = await make.product(store.db, { stock: 1, priceMinor: 2_000 });
    await make.variant(store.db, shirt.id, { stock: 50, priceMinor: 3_000 });
    const { status, body } = await store.as(buyer).post('/cart/items', { productId: shirt.id, quantity: 1 });
    expect([status, body.data.unitPrice]).toEqual([201, 20]);
    const more = await store.as(buyer).post('/cart/items', { productId: shirt.id, quantity: 1 });
    expect([more.status, more.body.error.code]).toEqual([400, 'INSUFFICIENT_STOCK']);
  });

  test('401 UNAUTHORIZED without a token', async () => {
    const { id: productId } = await make.product(store.db);
    const { status, body } = await store.as(null).post('/cart/items', { productId, quantity: 1 });
    expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED']);
  });
});

const lines = (userId: string) =>
  rows<{ quantity: number; shown: number }>(
    store.db,
    `SELECT quantity, shown_price_minor AS shown
     FROM cart_items i JOIN carts c ON c.id = i.cart_id WHERE c.user_id = $1`,
    [userId],
  );
