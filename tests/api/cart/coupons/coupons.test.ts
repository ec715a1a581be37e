import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { CartShape, ClearedShape } from '../shapes';
import { ownStore } from '../store';

const store = ownStore();

describe('POST /cart/coupons', () => {
  const hour = 3_600_000;

  test('201 with the whole cart, whatever the case of the code', async () => {
    const { buyer } = await cartOf(10_000);
    const { code } = await make.coupon(store.db, { code: 'SPRING', percentageBp: 2500 });
    const { status, body } = await store.as(buyer).post('/cart/coupons', { code: ' spring ' });
    expect(status).toBe(201);
    const cart = CartShape.parse(body.data);
    expect(cart.appliedCoupons).toEqual([{ code, discount: 25, type: 'PERCENTAGE' }]);
    expect(cart.summary).toMatchObject({ subtotal: 100, discount: 25, total: 75 });
    expect((await store.as(buyer).get('/cart')).body.data).toEqual(body.data);
  });

  test('a code as people paste it', async () => {
    const { buyer } = await cartOf(10_000);
    await make.coupon(store.db, { code: 'WELCOME-X', percentageBp: 2500 });
    const typed = 'ｗelcome\u2013x\u200B';
    expect((await store.as(buyer).post('/cart/coupons', { code: typed })).status).toBe(201);
    const removed = await store.as(buyer).delete(`/cart/coupons/${encodeURIComponent(typed)}`);
    expect([removed.status, removed.body.data.appliedCoupons]).toEqual([200, []]);
  });

  test('percentages come off before fixed amounts, whichever was laid first; the list keeps the order', async () => {
    const { buyer } = await cartOf(10_000);
    const five = await make.coupon(store.db, { amountMinor: 500 });
    const tenth = await make.coupon(store.db, { percentageBp: 1000 });
    await store.as(buyer).post('/cart/coupons', { code: five.code });
    const { body } = await store.as(buyer).post('/cart/coupons', { code: tenth.code });
    expect(body.data.appliedCoupons).toEqual([
      { code: five.code, discount: 5, type: 'FIXED' },
      { code: tenth.code, discount: 10, type: 'PERCENTAGE' },
    ]);
    expect(body.data.summary.total).toBe(85);
  });

  test('coupons never take more than the goods are worth', async () => {
    const { buyer } = await cartOf(1000);
    const { code } = await make.coupon(store.db, { amountMinor: 5000 });
    const { body } = await store.as(buyer).post('/cart/coupons', { code });
    expect(body.data.summary).toMatchObject({ subtotal: 10, discount: 10, tax: 0, total: 0 });
  });

  test('the same coupon counts once, also when laid 20 times at once', async () => {
    const { buyer } = await cartOf(10_000);
    const { code } = await make.coupon(store.db, { amountMinor: 500 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => store.as(buyer).post('/cart/coupons', { code })),
    );
    for (const { status, body } of answers) expect([status, body.data.summary.discount]).toEqual([201, 5]);
  });

  test('a price that is new is shown and remembered', async () => {
    const { buyer, product } = await cartOf(1000);
    await execute(store.db, 'UPDATE products SET price_minor = 2000 WHERE id = $1', [product.id]);
    const { code } = await make.coupon(store.db);
    const { body } = await store.as(buyer).post('/cart/coupons', { code });
    expect(body.data.items[0].unitPrice).toBe(20);
    const stale = await execute(
      store.db,
      'SELECT FROM cart_items WHERE product_id = $1 AND shown_price_minor <> 2000',
      [product.id],
    );
    expect(stale).toBe(0);
  });

  test('400 INVALID_COUPON for one that is not there or does not apply, and the cart stays as it was', async () => {
    const { buyer } = await cartOf(1000);
    const other = await make.product(store.db);
    const ended = new Date(Date.now() - hour);
    const coupons = await Promise.all([
      make.coupon(store.db, { isActive: false }),
      make.coupon(store.db, { startsAt: new Date(Date.now() + hour) }),
      make.coupon(store.db, { endsAt: ended }),
      make.coupon(store.db, { minSubtotalMinor: 1001 }),
      make.coupon(store.db, { productIds: [other.id] }),
      usedUp({ usageLimit: 1 }, buyer.id, 1, 0),
      usedUp({ perUserLimit: 1 }, buyer.id, 1, 1),
    ]);
    for (const { code } of [{ code: 'NO-SUCH-CODE' }, ...coupons]) {
      const { status, body } = await store.as(buyer).post('/cart/coupons', { code });
      expect([code, status, body.error.code]).toEqual([code, 400, 'INVALID_COUPON']);
    }
    expect((await store.as(buyer).get('/cart')).body.data.appliedCoupons).toEqual([]);
  });

  test('another’s uses do not count as mine', async () => {
    const { buyer } = await cartOf(1000);
    const someone = await make.user(store.db);
    const { code } = await usedUp({ perUserLimit: 1, usageLimit: 2 }, someone.id, 1, 1);
    expect((await store.as(buyer).post('/cart/coupons', { code })).status).toBe(201);
  });

  test('400 VALIDATION_ERROR names the field', async () => {
    const { buyer } = await cartOf(1000);
    for (const request of [
      {},
      { code: '' },
      { code: '  ' },
      { code: 7 },
      { code: 'x'.repeat(65) },
      { code: 'a\u0000' },
    ]) {
      const { status, body } = await store.as(buyer).post('/cart/coupons', request);
      expect([status, body.error.code, Object.keys(body.error.details)]).toEqual([
        400,
        'VALIDATION_ERROR',
        ['code'],
      ]);
    }
  });

  async function cartOf(priceMinor: number) {
    const buyer = await make.buyer(store.db, { country: 'CH' });
    const product = await make.product(store.db, { priceMinor });
    await make.cart(store.db, buyer.id, [{ productId: product.id }]);
    return { buyer, product };
  }

  async function usedUp(
    limits: { usageLimit?: number; perUserLimit?: number },
    userId: string,
    used: number,
    byUser: number,
  ) {
    const coupon = await make.coupon(store.db, limits);
    await execute(store.db, 'UPDATE coupons SET used_count = $2 WHERE id = $1', [coupon.id, used]);
    await execute(store.db, 'INSERT INTO coupon_uses (coupon_id, user_id, uses) VALUES ($1, $2, $3)', [
      coupon.id,
      userId,
      byUser,
    ]);
    return coupon;
  }
});

describe('DELETE /cart/coupons/:code', () => {
  test('200 with the whole cart, whatever the case of the code', async () => {
    const { buyer, code } = await cartWithCoupon();
    const before = (await store.as(buyer).get('/cart')).body.data;
    expect(before.summary.discount).toBe(2.5);
    const { status, body } = await store.as(buyer).delete(`/cart/coupons/${code.toLowerCase()}`);
    expect(status).toBe(200);
    expect(CartShape.parse(body.data)).toMatchObject({
      appliedCoupons: [],
      summary: { discount: 0, total: 25 },
    });
    expect(body.data.updatedAt > before.updatedAt).toBe(true);
  });

  test('a coupon that does not apply now can be taken off all the same', async () => {
    const { buyer, code, id } = await cartWithCoupon();
    await execute(store.db, 'UPDATE coupons SET is_active = false WHERE id = $1', [id]);
    expect((await store.as(buyer).delete(`/cart/coupons/${code}`)).status).toBe(200);
    await execute(store.db, 'UPDATE coupons SET is_active = true WHERE id = $1', [id]);
    expect((await store.as(buyer).get('/cart')).body.data.appliedCoupons).toEqual([]);
  });

  test('404 COUPON_NOT_FOUND for one that is not in the cart, though it may be in another’s', async () => {
    const { code } = await cartWithCoupon();
    const { buyer: other } = await cartWithCoupon();
    const cartless = await make.buyer(store.db);
    for (const [user, otherCode] of [
      [other, code],
      [other, 'NO-SUCH-CODE'],
      [cartless, code],
    ] as const) {
      const { status, body } = await store.as(user).delete(`/cart/coupons/${otherCode}`);
      expect([status, body.error.code]).toEqual([404, 'COUPON_NOT_FOUND']);
    }
  });

  test('400 VALIDATION_ERROR for a code that can be none', async () => {
    const { buyer } = await cartWithCoupon();
    for (const code of ['x'.repeat(65), '%00', '%20']) {
      const { status, body } = await store.as(buyer).delete(`/cart/coupons/${code}`);
      expect([status, body.error.code, Object.keys(body.error.details)]).toEqual([
        400,
        'VALIDATION_ERROR',
        ['code'],
      ]);
    }
  });

  async function cartWithCoupon() {
    const buyer = await make.buyer(store.db, { country: 'CH' });
    const { id: productId } = await make.product(store.db);
    await make.cart(store.db, buyer.id, [{ productId }]);
    const coupon = await make.coupon(store.db, { percentageBp: 1000 });
    await store.as(buyer).post('/cart/coupons', { code: coupon.code });
    return { buyer, ...coupon };
  }
});

describe('DELETE /cart', () => {
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
});
