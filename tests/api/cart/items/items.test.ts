import { v7 } from 'uuid';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { AddedShape, ChangedShape, RemovedShape } from '../shapes';
import { ownStore } from '../store';

const store = ownStore();

describe('DELETE /cart/items/:id', () => {
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
});

describe('PATCH /cart/items/:id', () => {
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
});

describe('POST /cart/items', () => {
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
    await execute(store.db, `UPDATE carts SET updated_at = now() - interval '91 days' WHERE id = $1`, [
      cartId,
    ]);
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
      const { status, body } = await store
        .as(buyer)
        .post('/cart/items', { productId: shirt.id, quantity: 1 });
      expect([status, body.data.unitPrice]).toEqual([201, 20]);
      const more = await store.as(buyer).post('/cart/items', { productId: shirt.id, quantity: 1 });
      expect([more.status, more.body.error.code]).toEqual([400, 'INSUFFICIENT_STOCK']);
    });
  });

  const lines = (userId: string) =>
    rows<{ quantity: number; shown: number }>(
      store.db,
      `SELECT quantity, shown_price_minor AS shown
     FROM cart_items i JOIN carts c ON c.id = i.cart_id WHERE c.user_id = $1`,
      [userId],
    );
});

describe('POST /cart/items at once', () => {
  test('20 at once of the same goods make one line with all of them', async () => {
    const buyer = await make.buyer(store.db);
    const lamp = await make.product(store.db, { stock: 20 });
    const adds = await atOnce(20, () =>
      store.as(buyer).post('/cart/items', { productId: lamp.id, quantity: 1 }),
    );
    expect(adds.map((add) => add.status)).toEqual(Array(20).fill(201));
    expect(adds.map((add) => add.body.data.quantity).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    expect(await lines(buyer.id)).toMatchObject([{ quantity: 20 }]);
  });

  test('20 at once of goods with a stock of 7, and of goods limited to 7 a line: 7 are added, 13 refused', async () => {
    const scarce = await make.product(store.db, { stock: 7 });
    const limited = await make.product(store.db, { stock: null, maxPerLine: 7 });
    for (const [goods, why] of [
      [scarce, 'INSUFFICIENT_STOCK'],
      [limited, 'MAX_QUANTITY_EXCEEDED'],
    ] as const) {
      const buyer = await make.buyer(store.db);
      const adds = await atOnce(20, () =>
        store.as(buyer).post('/cart/items', { productId: goods.id, quantity: 1 }),
      );
      expect(adds.filter((add) => add.status === 201)).toHaveLength(7);
      expect(adds.filter((add) => add.status === 400 && add.body.error.code === why)).toHaveLength(13);
      expect(await lines(buyer.id)).toMatchObject([{ quantity: 7 }]);
    }
  });

  const atOnce = <T>(times: number, act: () => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: times }, act));

  const lines = (userId: string) =>
    rows<{ quantity: number }>(
      store.db,
      `SELECT quantity FROM cart_items i JOIN carts c ON c.id = i.cart_id WHERE c.user_id = $1`,
      [userId],
    );
});
