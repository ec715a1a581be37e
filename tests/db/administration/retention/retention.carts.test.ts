import { policyFrom } from '../../../../db/policy/config';
import { cartLines } from '../../../../db/commerce/cart/cart.reads';
import { forgetExpired } from '../../../../db/administration/retention/retention.transitions';
import { execute, firstRow } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';

const own = ownDatabase();
const at = new Date();
const days = (n: number): number => n * 86_400_000;

/** A cart with goods and a coupon that was not changed for so long. */
async function unchangedFor(ms: number): Promise<{ userId: string; cartId: string }> {
  const { id: userId } = await make.user(own.db);
  const { id: productId } = await make.product(own.db);
  const cartId = await make.cart(own.db, userId, [{ productId }]);
  const { id: couponId } = await make.coupon(own.db);
  await execute(own.db, 'INSERT INTO cart_coupons (cart_id, coupon_id, added_at) VALUES ($1, $2, now())', [
    cartId,
    couponId,
  ]);
  await execute(own.db, 'UPDATE carts SET updated_at = $2 WHERE id = $1', [
    cartId,
    new Date(at.getTime() - ms),
  ]);
  return { userId, cartId };
}

const rowsOf = async (cartId: string): Promise<number> =>
  (await firstRow<{ n: number }>(
    own.db,
    `SELECT ((SELECT count(*) FROM carts WHERE id = $1) + (SELECT count(*) FROM cart_items WHERE cart_id = $1) +
       (SELECT count(*) FROM cart_coupons WHERE cart_id = $1))::int AS n`,
    [cartId],
  ))!.n;

test('carts that nobody can see any more are removed with all that is in them, and no others', async () => {
  const kept = [await unchangedFor(0), await unchangedFor(days(90) - 60_000)];
  const gone = [await unchangedFor(days(90)), await unchangedFor(days(900))];
  for (const { userId } of gone) expect(await cartLines(own.db, userId, 90)).toBeNull();
  expect((await forgetExpired(own.db, at, policyFrom({}))).carts).toBe(2);
  for (const { cartId } of gone) expect(await rowsOf(cartId)).toBe(0);
  for (const { userId, cartId } of kept)
    expect([await rowsOf(cartId), (await cartLines(own.db, userId, 90))?.lines.length]).toEqual([3, 1]);
  expect((await forgetExpired(own.db, at, policyFrom({}))).carts).toBe(0);
});
