import { randomUUID } from 'node:crypto';
import { execute, firstRow } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { orderRow } from '../../../support/builders/sandbox';
import { signIn } from '../../../support/builders/sign-in';
import { startWorld, type World } from '../../../support/worlds/world';
import { askedBack, requestRow, staff } from '../../orders/returning';
import { outcomeOf } from '../admin-world';

let world: World;
let clerk: Awaited<ReturnType<typeof staff>>;
beforeAll(async () => {
  world = await startWorld();
  clerk = await staff(world);
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

const walletOf = async (userId: string): Promise<number> =>
  (await firstRow<{ n: number }>(
    world.db,
    `SELECT balance_minor AS n FROM ledger_balances WHERE user_id = $1 AND account = 'wallet'`,
    [userId],
  ))!.n;

test('what a balance paid is back in the answer, the order is REFUNDED, and its history says so', async () => {
  const { ada, orderId, refundId } = await askedBack(world);
  const before = await walletOf(ada.buyer.id);
  const { status, body } = await clerk.decide(refundId, 'approve', { note: 'Fine.' });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    id: refundId,
    status: 'COMPLETED',
    requestedAmount: 65,
    approvedAmount: 65,
    decidedBy: clerk.id,
    decidedAt: expect.any(String),
  });
  expect(await walletOf(ada.buyer.id)).toBe(before + 6_500);
  expect((await requestRow(world, refundId)).note).toBe('Fine.');
  const order = (await ada.get(`/orders/${orderId}`)).body.data;
  expect(order).toMatchObject({ status: 'REFUNDED', paymentStatus: 'REFUNDED', canRefund: false });
  expect(order.statusHistory.at(-1)).toMatchObject({ status: 'REFUNDED', note: null });
});

test('what a provider brought goes back through it; fulfilment is over then', async () => {
  const { orderId, refundId } = await askedBack(world, { method: 'CARD', to: 'SHIPPED' });
  const { body } = await clerk.decide(refundId, 'approve');
  expect(['PROCESSING', 'COMPLETED']).toContain(body.data.status);
  await eventually(async () =>
    expect(await orderRow(world, orderId)).toEqual({ status: 'REFUNDED', paymentStatus: 'REFUNDED' }),
  );
  expect((await requestRow(world, refundId)).status).toBe('COMPLETED');
  expect(await world.temporal.workflow.getHandle(`refund:${refundId}`).result()).toBe('COMPLETED');
  expect(await world.temporal.workflow.getHandle(`fulfilment:${orderId}`).result()).toBe('REFUNDED');
});

test('a part of it: the order stays delivered', async () => {
  const { orderId, refundId } = await askedBack(world);
  const { body } = await clerk.decide(refundId, 'approve', { amount: 12.34 });
  expect(body.data).toMatchObject({ status: 'COMPLETED', requestedAmount: 65, approvedAmount: 12.34 });
  expect((await orderRow(world, orderId)).status).toBe('DELIVERED');
});

test('the goods go back on the shelf when the administrator says so', async () => {
  const shelfOf = async (orderId: string): Promise<number[]> => {
    const found = await firstRow<{ n: number[] }>(
      world.db,
      `SELECT array_agg(s.available ORDER BY i.unit_price_minor DESC) AS n FROM order_items i
         JOIN stock_items s ON s.id = i.stock_item_id WHERE i.order_id = $1`,
      [orderId],
    );
    return found!.n;
  };
  const [kept, wanted] = [await askedBack(world), await askedBack(world)];
  await clerk.decide(kept.refundId, 'approve', { restock: false });
  await clerk.decide(wanted.refundId, 'approve', { restock: true });
  expect([await shelfOf(kept.orderId), await shelfOf(wanted.orderId)]).toEqual([
    [98, 99],
    [100, 100],
  ]);
});

test.each([{ amount: 0 }, { amount: 0.001 }, { amount: -1 }, { amount: 65.01 }])(
  'VALIDATION_ERROR: %j',
  async (body) => {
    const { refundId } = await askedBack(world);
    const answer = await clerk.decide(refundId, 'approve', body);
    expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(Object.keys(answer.body.error.details)).toEqual(['amount']);
    expect((await requestRow(world, refundId)).status).toBe('PENDING_REVIEW');
  },
);

test('NOT_PENDING: it is decided already', async () => {
  const [done, turnedDown] = [await askedBack(world), await askedBack(world)];
  await clerk.decide(done.refundId, 'approve');
  await clerk.decide(turnedDown.refundId, 'reject');
  for (const { refundId } of [done, turnedDown])
    expect(outcomeOf(await clerk.decide(refundId, 'approve'))).toBe('400 NOT_PENDING');
});

test('REFUND_NOT_FOUND: there is none', async () => {
  expect(outcomeOf(await clerk.decide(randomUUID(), 'approve'))).toBe('404 REFUND_NOT_FOUND');
});

test('FORBIDDEN: one’s own refund; a buyer', async () => {
  const { ada, refundId } = await askedBack(world);
  expect(outcomeOf(await clerk.decide(refundId, 'approve', {}, ada.token))).toBe('403 FORBIDDEN');
  await execute(world.db, `UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [ada.buyer.id]);
  const answer = await clerk.decide(refundId, 'approve', {}, await signIn(world, ada.buyer));
  expect(outcomeOf(answer)).toBe('403 FORBIDDEN');
  expect((await requestRow(world, refundId)).status).toBe('PENDING_REVIEW');
});
