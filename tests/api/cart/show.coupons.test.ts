import { execute } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { ownStore } from './store';

const store = ownStore();

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

const layOn = (cartId: string, couponId: string) =>
  execute(store.db, 'INSERT INTO cart_coupons (cart_id, coupon_id, added_at) VALUES ($1, $2, now())', [
    cartId,
    couponId,
  ]);
