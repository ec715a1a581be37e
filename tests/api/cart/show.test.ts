import { execute, firstRow, rows } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { signIn } from '../../support/builders/sign-in';
import { ownWorld } from '../../support/worlds/world';
import { ownStore } from './store';
import { CartShape } from './shapes';

const store = ownStore();

const layOn = (cartId: string, couponId: string) =>
  execute(store.db, 'INSERT INTO cart_coupons (cart_id, coupon_id, added_at) VALUES ($1, $2, now())', [
    cartId,
    couponId,
  ]);

describe('coupons in GET /cart', () => {
  test('a coupon that stopped applying is left out but kept, and comes back', async () => {
    const buyer = await make.buyer(store.db);
    const lamp = await make.product(store.db);
    const coupon = await make.coupon(store.db, { amountMinor: 500 });
    await layOn(await make.cart(store.db, buyer.id, [{ productId: lamp.id }]), coupon.id);
    const discounts: number[] = [];
    for (const isActive of [true, false, true]) {
      await execute(store.db, 'UPDATE coupons SET is_active = $2 WHERE id = $1', [coupon.id, isActive]);
      const { body } = await store.as(buyer).get('/cart');
      expect(body.data.appliedCoupons).toHaveLength(isActive ? 1 : 0);
      discounts.push(body.data.summary.discount);
    }
    expect(discounts).toEqual([5, 0, 5]);
  });

  test('a coupon for a category is for all categories below it', async () => {
    const buyer = await make.buyer(store.db);
    const home = await make.category(store.db);
    const lamps = await make.category(store.db, { parentId: home.id });
    const desk = await make.category(store.db, { parentId: lamps.id });
    const lamp = await make.product(store.db, { categoryId: desk.id, priceMinor: 1000 });
    const other = await make.product(store.db, { priceMinor: 1000 });
    const coupon = await make.coupon(store.db, { percentageBp: 5000, categoryIds: [home.id] });
    await layOn(
      await make.cart(store.db, buyer.id, [{ productId: lamp.id }, { productId: other.id }]),
      coupon.id,
    );
    const { body } = await store.as(buyer).get('/cart');
    expect(body.data.summary).toMatchObject({ subtotal: 20, discount: 5 });
  });
});

describe('GET /cart', () => {
  test('an empty cart is made at the first look and stays the same cart', async () => {
    const buyer = await make.buyer(store.db);
    const first = await store.as(buyer).get('/cart');
    expect(first.status).toBe(200);
    const cart = CartShape.parse(first.body.data);
    expect(cart).toMatchObject({
      items: [],
      summary: { subtotal: 0, discount: 0, shipping: null, tax: 0, total: 0, itemCount: 0, totalQuantity: 0 },
      appliedCoupons: [],
      estimatedCommission: null,
      estimatedCareerPoints: null,
    });
    const second = await store.as(buyer).get('/cart');
    expect(second.body.data).toEqual(first.body.data);
  });

  test('many first looks at once make one cart', async () => {
    const buyer = await make.buyer(store.db);
    const looks = await Promise.all(Array.from({ length: 20 }, () => store.as(buyer).get('/cart')));
    expect(looks.map((look) => look.status)).toEqual(Array(20).fill(200));
    expect(new Set(looks.map((look) => look.body.data.id)).size).toBe(1);
  });

  test('every field of a full cart', async () => {
    await make.taxRate(store.db, 'DE', 1900);
    const buyer = await make.buyer(store.db, { country: 'DE' });
    const lamp = await make.product(store.db, {
      priceMinor: 1999,
      compareAtPriceMinor: 2999,
      stock: 7,
      commissionBp: 1250,
      careerPointsBp: 10_000,
    });
    await make.image(store.db, lamp.id, { isPrimary: false, position: 0 });
    const primary = await make.image(store.db, lamp.id, { isPrimary: true, position: 1 });
    const shirt = await make.product(store.db, { stock: null, commissionBp: 0, careerPointsBp: 0 });
    const large = await make.variant(store.db, shirt.id, { priceMinor: 1050, attributes: { size: 'L' } });
    const ten = await make.coupon(store.db, { percentageBp: 1000, productIds: [lamp.id] });
    const cartId = await make.cart(store.db, buyer.id, [
      { productId: lamp.id, quantity: 2 },
      { productId: shirt.id, variantId: large.id },
    ]);
    await layOn(cartId, ten.id);

    const { status, body } = await store.as(buyer).get('/cart');
    expect(status).toBe(200);
    const cart = CartShape.parse(body.data);
    expect(cart.id).toBe(cartId);
    expect(cart.items).toMatchObject([
      {
        product: {
          id: lamp.id,
          name: lamp.name,
          slug: lamp.slug,
          sku: lamp.sku,
          price: 19.99,
          compareAtPrice: 29.99,
          thumbnailUrl: `https://images.example.com/${primary}-small.jpg`,
          status: 'ACTIVE',
          stockQuantity: 7,
        },
        variantId: null,
        variantAttributes: null,
        quantity: 2,
        unitPrice: 19.99,
        totalPrice: 39.98,
      },
      {
        product: { id: shirt.id, price: 25, compareAtPrice: null, thumbnailUrl: null, stockQuantity: null },
        variantId: large.id,
        variantAttributes: { size: 'L' },
        quantity: 1,
        unitPrice: 10.5,
        totalPrice: 10.5,
      },
    ]);
    // 50.48 of goods, 4.00 off the lamps; 19 % of 46.48 is 8.8312; 12.5 % of 35.98 is 4.4975.
    expect(cart.summary).toEqual({
      subtotal: 50.48,
      discount: 4,
      shipping: null,
      tax: 8.83,
      total: 55.31,
      currency: 'USD',
      itemCount: 2,
      totalQuantity: 3,
    });
    expect(cart.appliedCoupons).toEqual([{ code: ten.code, discount: 4, type: 'PERCENTAGE' }]);
    expect(cart.estimatedCommission).toBe(4.5);
    expect(cart.estimatedCareerPoints).toBe(35.98);
  });

  test('without a default address, and to a country without a rate, there is no tax', async () => {
    await make.taxRate(store.db, 'FR', 2000);
    const homeless = await make.user(store.db);
    await make.address(store.db, homeless.id, { country: 'FR' });
    const swiss = await make.buyer(store.db, { country: 'CH' });
    const { id } = await make.product(store.db);
    for (const user of [homeless, swiss]) {
      await make.cart(store.db, user.id, [{ productId: id }]);
      const { body } = await store.as(user).get('/cart');
      expect(body.data.summary).toMatchObject({ subtotal: 25, tax: 0, total: 25 });
    }
  });

  test('a new price is shown, and remembered as shown, without counting as a change of the cart', async () => {
    const buyer = await make.buyer(store.db);
    const lamp = await make.product(store.db, { priceMinor: 1000 });
    const cartId = await make.cart(store.db, buyer.id, [{ productId: lamp.id }]);
    const before = await store.as(buyer).get('/cart');
    await execute(store.db, 'UPDATE products SET price_minor = 1234 WHERE id = $1', [lamp.id]);

    const looks = await Promise.all(Array.from({ length: 10 }, () => store.as(buyer).get('/cart')));
    for (const { status, body } of looks) {
      expect(status).toBe(200);
      expect(body.data.items[0]).toMatchObject({ unitPrice: 12.34, totalPrice: 12.34 });
      expect(body.data.updatedAt).toBe(before.body.data.updatedAt);
    }
    expect(await shownPrices(cartId)).toEqual([1234]);
  });

  test('goods that ran out or are no longer sold stay in the cart and say so', async () => {
    const buyer = await make.buyer(store.db);
    const gone = await make.product(store.db, { stock: 0 });
    const archived = await make.product(store.db, { status: 'ARCHIVED', stock: 0 });
    await make.cart(store.db, buyer.id, [{ productId: gone.id }, { productId: archived.id }]);
    const { body } = await store.as(buyer).get('/cart');
    expect(CartShape.parse(body.data).items.map((item) => item.product)).toMatchObject([
      { status: 'OUT_OF_STOCK', stockQuantity: 0 },
      { status: 'ARCHIVED', stockQuantity: 0 },
    ]);
  });

  test('a cart unchanged for 90 days counts as empty', async () => {
    const lamp = await make.product(store.db);
    const unchangedAfter = async (days: string): Promise<number> => {
      const buyer = await make.buyer(store.db);
      const cartId = await make.cart(store.db, buyer.id, [{ productId: lamp.id }]);
      await execute(store.db, 'UPDATE carts SET updated_at = now() - $2::interval WHERE id = $1', [
        cartId,
        days,
      ]);
      const { status, body } = await store.as(buyer).get('/cart');
      expect(status).toBe(200);
      return CartShape.parse(body.data).items.length;
    };
    expect(await unchangedAfter('89 days 23 hours')).toBe(1);
    expect(await unchangedAfter('90 days 1 second')).toBe(0);
  });

  test('401 UNAUTHORIZED without a token, or with a bad one', async () => {
    for (const anonymous of [null, { token: 'bad' }]) {
      const { status, body } = await store.as(anonymous).get('/cart');
      expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED']);
    }
  });

  async function shownPrices(cartId: string): Promise<number[]> {
    const lines = await rows<{ price: number }>(
      store.db,
      'SELECT shown_price_minor AS price FROM cart_items WHERE cart_id = $1',
      [cartId],
    );
    return lines.map((line) => line.price);
  }
});

describe('limits by policy', () => {
  const world = ownWorld({
    worker: false,
    variables: { POLICY_CART_LINES: '3', POLICY_CART_DAYS: '10' },
  });

  async function buyerWith(goods: number) {
    const buyer = await make.buyer(world.db);
    const token = await signIn(world, buyer);
    const products = [];
    for (let i = 0; i < goods; i++) products.push(await make.product(world.db));
    const add = (productId: string) =>
      world.http.post('/api/v1/cart/items').auth(token, { type: 'bearer' }).send({ productId, quantity: 1 });
    const cart = () => world.http.get('/api/v1/cart').auth(token, { type: 'bearer' });
    return { buyer, products, add, cart };
  }

  test('a cart holds as many lines as the policy says, also when they are added at once', async () => {
    const { buyer, products, add } = await buyerWith(10);
    const answers = await Promise.all(products.map(({ id }) => add(id).then((answer) => answer)));
    const results = answers.map(({ status, body }) =>
      status === 201 ? '201' : `${status} ${body.error.code}`,
    );
    expect(results.sort()).toEqual([
      ...Array<string>(3).fill('201'),
      ...Array<string>(7).fill('400 MAX_QUANTITY_EXCEEDED'),
    ]);
    const lines = await firstRow<{ count: number }>(
      world.db,
      `SELECT count(*)::int AS count FROM cart_items i JOIN carts c ON c.id = i.cart_id WHERE c.user_id = $1`,
      [buyer.id],
    );
    expect(lines).toEqual({ count: 3 });
  });

  test('a full cart still takes more of what it holds', async () => {
    const { products, add } = await buyerWith(4);
    for (const { id } of products.slice(0, 3)) expect((await add(id)).status).toBe(201);
    expect((await add(products[3]!.id)).body.error.code).toBe('MAX_QUANTITY_EXCEEDED');
    const again = await add(products[0]!.id);
    expect([again.status, again.body.data.quantity]).toEqual([201, 2]);
  });

  test('a cart unchanged for the days of the policy is empty', async () => {
    const { buyer, products, add, cart } = await buyerWith(1);
    await add(products[0]!.id);
    const left = (days: number) =>
      execute(
        world.db,
        `UPDATE carts SET updated_at = now() - make_interval(days => $2) WHERE user_id = $1`,
        [buyer.id, days],
      );
    await left(9);
    expect((await cart()).body.data.items).toHaveLength(1);
    await left(11);
    expect((await cart()).body.data.items).toHaveLength(0);
  });
});
