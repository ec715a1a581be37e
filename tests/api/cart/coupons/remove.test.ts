import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { CartShape } from '../shapes';
import { ownStore } from '../store';

const store = ownStore();

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

test('401 UNAUTHORIZED without a token', async () => {
  const { status, body } = await store.as(null).delete('/cart/coupons/X');
  expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED']);
});

async function cartWithCoupon() {
  const buyer = await make.buyer(store.db, { country: 'CH' });
  const { id: productId } = await make.product(store.db);
  await make.cart(store.db, buyer.id, [{ productId }]);
  const coupon = await make.coupon(store.db, { percentageBp: 1000 });
  await store.as(buyer).post('/cart/coupons', { code: coupon.code });
  return { buyer, ...coupon };
}
