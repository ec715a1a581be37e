import { execute } from '../../../db/sql/query';
import { violations } from '../../support/checks/violations';
import { make } from '../../support/builders/make';
import { shopper, type Shopper } from '../../support/builders/shop';
import { startWorld, type World } from '../../support/worlds/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

const refusalOf = async (ada: Shopper, ...request: Parameters<Shopper['checkout']>) => {
  const { status, body } = await ada.checkout(...request);
  return { refusal: `${status} ${body.error?.code}`, details: body.error?.details as unknown };
};
const shown = async (ada: Shopper) => (await ada.get('/cart')).body.data.summary as Record<string, number>;
const withCoupon = async (ada: Shopper, code: string): Promise<number> =>
  (await ada.post('/cart/coupons', { code })).body.data.summary.discount as number;

describe('POST /cart/checkout charges what the cart last showed, or answers why not', () => {
  it('409 PRICE_CHANGED names each line whose price changed and no other, a variant by its own SKU', async () => {
    const { db } = world;
    const [dearer, cheaper, same] = [await make.product(db), await make.product(db), await make.product(db)];
    const variant = await make.variant(db, same.id);
    const ada = await shopper(world, [
      { productId: dearer.id },
      { productId: same.id },
      { productId: cheaper.id },
      { productId: same.id, variantId: variant.id },
    ]);
    await shown(ada);
    await execute(db, 'UPDATE products SET price_minor = price_minor + 1 WHERE id = $1', [dearer.id]);
    await execute(db, 'UPDATE products SET price_minor = price_minor - 1 WHERE id = $1', [cheaper.id]);
    await execute(db, 'UPDATE product_variants SET price_minor = 9900 WHERE id = $1', [variant.id]);
    expect(await refusalOf(ada)).toEqual({
      refusal: '409 PRICE_CHANGED',
      details: { items: [dearer.sku, cheaper.sku, variant.sku] },
    });
    const { subtotal } = await shown(ada);
    expect((await ada.order()).summary.subtotal).toBe(subtotal);
  });

  it('adding to one line says nothing of the others: what is new of them is still 409 PRICE_CHANGED', async () => {
    const [one, other] = [await make.product(world.db), await make.product(world.db)];
    const ada = await shopper(world, [{ productId: one.id }, { productId: other.id }]);
    await execute(world.db, 'UPDATE products SET price_minor = 2600 WHERE id = ANY ($1::uuid[])', [
      [one.id, other.id],
    ]);
    await ada.post('/cart/items', { productId: one.id, quantity: 1 });
    expect(await refusalOf(ada)).toEqual({
      refusal: '409 PRICE_CHANGED',
      details: { items: [other.sku] },
    });
  });

  it('a coupon worth something else than was shown: 409 PRICE_CHANGED, naming the goods that it is for', async () => {
    const [lamp, chair] = [await make.product(world.db), await make.product(world.db)];
    const coupon = await make.coupon(world.db, { percentageBp: 1_000, productIds: [lamp.id] });
    const ada = await shopper(world, [{ productId: lamp.id }, { productId: chair.id }]);
    expect(await withCoupon(ada, coupon.code)).toBe(2.5);
    await execute(world.db, 'UPDATE coupons SET percentage_bp = 500 WHERE id = $1', [coupon.id]);
    expect(await refusalOf(ada)).toEqual({
      refusal: '409 PRICE_CHANGED',
      details: { items: [lamp.sku] },
    });
    expect((await shown(ada))['discount']).toBe(1.25);
    expect((await ada.order()).summary.discount).toBe(1.25);
  });

  it.each<[string, string]>([
    ['expired', `ends_at = now() - interval '1 second'`],
    ['was switched off', 'is_active = false'],
    ['was deleted', 'deleted_at = now()'],
    ['asks for more goods', 'min_subtotal_minor = 1000000'],
  ])(
    'a coupon that was shown and since %s: 400 INVALID_COUPON, until the cart shows so',
    async (_case, change) => {
      const product = await make.product(world.db);
      const coupon = await make.coupon(world.db);
      const ada = await shopper(world, [{ productId: product.id }]);
      await withCoupon(ada, coupon.code);
      await execute(world.db, `UPDATE coupons SET ${change} WHERE id = $1`, [coupon.id]);
      const { refusal, details } = await refusalOf(ada);
      expect([refusal, (details as { couponCodes: string[] }).couponCodes]).toEqual([
        '400 INVALID_COUPON',
        [expect.stringContaining(`${coupon.code}: `) as string],
      ]);
      expect((await shown(ada))['discount']).toBe(0);
      expect((await ada.order()).summary.discount).toBe(0);
    },
  );

  it('a change of the cart shows the new discount, which is then charged', async () => {
    const product = await make.product(world.db);
    const coupon = await make.coupon(world.db);
    const ada = await shopper(world, [{ productId: product.id }]);
    await withCoupon(ada, coupon.code);
    const added = await ada.post('/cart/items', { productId: product.id, quantity: 3 });
    expect(added.body.data.cartSummary.total).toBe(90);
    expect((await ada.order()).summary).toMatchObject({ subtotal: 100, discount: 10 });
  });

  it('coupons on the cart come before those named with the order, percentages before amounts', async () => {
    const { db } = world;
    const product = await make.product(db, { priceMinor: 10_000 });
    const [fixed, half, tenth] = [
      await make.coupon(db, { amountMinor: 1_000 }),
      await make.coupon(db, { percentageBp: 5_000 }),
      await make.coupon(db, { percentageBp: 1_000 }),
    ];
    const ada = await shopper(world, [{ productId: product.id }]);
    await withCoupon(ada, fixed.code);
    const { orderId, summary } = await ada.order({ couponCodes: [half.code, tenth.code, fixed.code] });
    expect(summary).toMatchObject({ subtotal: 100, discount: 65 });
    const order = (await ada.get(`/orders/${orderId}`)).body.data;
    expect(
      new Map(
        order.appliedCoupons.map((used: { code: string; discount: number }) => [used.code, used.discount]),
      ),
    ).toEqual(
      new Map([
        [fixed.code, 10],
        [half.code, 50],
        [tenth.code, 5],
      ]),
    );
  });
});

describe('a variant that is no longer sold', () => {
  it('stays in the cart and says so, is ITEMS_UNAVAILABLE at checkout, and goes into no cart: VARIANT_NOT_FOUND', async () => {
    const product = await make.product(world.db);
    const [sold, former] = [
      await make.variant(world.db, product.id),
      await make.variant(world.db, product.id),
    ];
    const ada = await shopper(world, [
      { productId: product.id, variantId: sold.id },
      { productId: product.id, variantId: former.id },
    ]);
    await execute(
      world.db,
      `WITH withdrawn AS (UPDATE stock_items SET withdrawn = true WHERE variant_id = $1)
       UPDATE product_variants SET deleted_at = now() WHERE id = $1`,
      [former.id],
    );
    const { items } = (await ada.get('/cart')).body.data as {
      items: { id: string; product: { status: string } }[];
    };
    expect(items.map((item) => item.product.status)).toEqual(['ACTIVE', 'ARCHIVED']);
    expect(await refusalOf(ada)).toEqual({
      refusal: '400 ITEMS_UNAVAILABLE',
      details: { items: [former.sku] },
    });
    const again = await ada.post('/cart/items', { productId: product.id, variantId: former.id, quantity: 1 });
    expect([again.status, again.body.error.code]).toEqual([404, 'VARIANT_NOT_FOUND']);
    await world.http.delete(`/api/v1/cart/items/${items[1]!.id}`).set('authorization', `Bearer ${ada.token}`);
    expect((await ada.order()).summary.subtotal).toBe(25);
  });
});
