import { randomUUID } from 'node:crypto';
import { rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { orderStep, orderSteps, placedOrder, orderCommand } from '../../../support/builders/ordering';
import { signIn } from '../../../support/builders/sign-in';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { recordsOf } from '../records';

let administration: AdminWorld;
beforeAll(async () => {
  administration = await startAdminWorld({ worker: false });
});
afterAll(() => administration.world.teardown());

const remove = (id: string, token?: string | null) =>
  administration.ask('delete', `/admin/coupons/${id}`, undefined, token);

test('200, once: it is no longer listed, applies to no cart, and is recorded', async () => {
  const { db } = administration.world;
  const coupon = await make.coupon(db, { percentageBp: 5_000 });
  const buyer = await make.buyer(db);
  const { id: productId } = await make.product(db);
  await make.cart(db, buyer.id, [{ productId }]);
  const token = await signIn(administration.world, buyer);
  const lay = () => administration.ask('post', '/cart/coupons', { code: coupon.code }, token);
  expect((await lay()).body.data.summary.discount).toBe(12.5);

  const answer = await remove(coupon.id);
  expect([answer.status, answer.body.data]).toEqual([
    200,
    { message: expect.any(String) as string, couponId: coupon.id },
  ]);
  const cart = await administration.ask('get', '/cart', undefined, token);
  expect(cart.body.data).toMatchObject({ appliedCoupons: [], summary: { discount: 0 } });
  expect(outcomeOf(await lay())).toBe('400 INVALID_COUPON');
  expect((await administration.ask('get', '/admin/coupons')).body.data.coupons).toEqual([]);
  expect(outcomeOf(await remove(coupon.id))).toBe('404 COUPON_NOT_FOUND');
  expect(await recordsOf(administration, 'coupon', coupon.id)).toEqual([
    {
      actorId: administration.admin.id,
      action: 'coupon.delete',
      previous: { code: coupon.code, deletedAt: null },
      next: { deletedAt: expect.any(String) as string },
    },
  ]);
});

test('an order keeps its discount, and returns the use when it is cancelled unpaid', async () => {
  const { db } = administration.world;
  const order = await placedOrder(db);
  expect(outcomeOf(await remove(order.couponId))).toBe('200');
  const kept = await rows(db, 'SELECT discount_minor::int AS off FROM order_coupons WHERE order_id = $1', [
    order.orderId,
  ]);
  expect(kept).toEqual([{ off: 500 }]);
  const late = new Date(Date.parse(order.at) + 31 * 60_000).toISOString();
  await orderSteps(db).expireOrder({ orderId: order.orderId, at: late });
  expect(await orderStep(db, order)).toMatchObject({ order: 'CANCELLED FAILED', couponUses: 0 });
});

test('an order placed while it is deleted has it, or is refused', async () => {
  const { db } = administration.world;
  const order = await orderCommand(db);
  const [placed, removed] = await Promise.all([
    orderSteps(db)
      .placeOrder({ ...order, ...order.command, at: new Date().toISOString() })
      .then(
        () => 'placed',
        (error: unknown) => (error as { type: string }).type,
      ),
    remove(order.couponId),
  ]);
  expect(outcomeOf(removed)).toBe('200');
  expect(['placed', 'INVALID_COUPON']).toContain(placed);
  expect((await orderStep(db, order)).couponUses).toBe(placed === 'placed' ? 1 : 0);
});

test('404 COUPON_NOT_FOUND for one that is none', async () => {
  expect(outcomeOf(await remove(randomUUID()))).toBe('404 COUPON_NOT_FOUND');
  expect(outcomeOf(await remove('x'))).toBe('400 VALIDATION_ERROR');
});

test('401 UNAUTHORIZED and 403 FORBIDDEN for who is no administrator', async () => {
  const { id } = await make.coupon(administration.world.db);
  expect(outcomeOf(await remove(id, null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await remove(id, administration.tokens.user))).toBe('403 FORBIDDEN');
});
