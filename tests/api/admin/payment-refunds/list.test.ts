import { randomUUID } from 'node:crypto';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { orderSteps, orderToRefund } from '../../../support/builders/ordering';
import { signIn } from '../../../support/builders/sign-in';
import { stored } from '../../../activities/commerce/chargeback/chargebacks';
import { startWorld, type World } from '../../../support/worlds/world';
import { staff } from '../../orders/returning';
import { outcomeOf } from '../admin-world';
import { owedByTransfer } from './owed';

let world: World;
let clerk: Awaited<ReturnType<typeof staff>>;
let owed: Awaited<ReturnType<typeof owedByTransfer>>;
let settled: Awaited<ReturnType<typeof owedByTransfer>>;
beforeAll(async () => {
  world = await startWorld();
  clerk = await staff(world);
  settled = await owedByTransfer(world, clerk.token);
  owed = await owedByTransfer(world, clerk.token);
  await world.http
    .post(`/api/v1/admin/payment-refunds/${settled.refundId}/settle`)
    .auth(clerk.token, { type: 'bearer' })
    .send({ reference: 'OUT-1' });
  const password = owed.ada.buyer.password;
  await world.http
    .patch('/api/v1/users/me')
    .auth(owed.ada.token, { type: 'bearer' })
    .send({
      password,
      payoutDetails: {
        method: 'BANK_TRANSFER',
        accountHolder: 'Ada Lovelace',
        iban: 'DE89370400440532013000',
      },
    });
});
afterAll(() => world.teardown());

const list = async (query = '', token = clerk.token) =>
  world.http.get(`/api/v1/admin/payment-refunds${query}`).auth(token, { type: 'bearer' });

const idsOf = async (query: string): Promise<string[]> =>
  ((await list(query)).body.data.refunds as { id: string }[]).map(({ id }) => id);

test('newest first, with all that a person requires to send it', async () => {
  const { status, body } = await list();
  expect(status).toBe(200);
  expect(body.data.refunds[0]).toEqual({
    id: owed.refundId,
    order: { id: owed.orderId, orderNumber: expect.stringMatching(/^ORD-/) },
    user: { id: owed.ada.buyer.id, email: owed.ada.buyer.email, name: 'Ada Lovelace' },
    status: 'PROCESSING',
    reason: 'CANCELLATION',
    amount: expect.any(Number),
    currency: 'USD',
    provider: 'bank',
    paymentReference: owed.transactionId,
    refundRequestId: null,
    needsTransfer: true,
    payoutDetails: { method: 'BANK_TRANSFER', maskedDetails: '•••• 3000' },
    providerReference: null,
    settlementReference: null,
    settledBy: null,
    chargebackId: null,
    splitFrom: null,
    createdAt: expect.any(String),
    completedAt: null,
  });
  expect(body.data.refunds[1]).toMatchObject({
    id: settled.refundId,
    status: 'COMPLETED',
    needsTransfer: false,
    payoutDetails: null,
    settlementReference: 'OUT-1',
    settledBy: clerk.id,
    completedAt: expect.any(String),
  });
  expect(body.meta).toMatchObject({ pagination: { total: 2 } });
});

test('by status, by order and page by page', async () => {
  const order = await firstRow<{ number: string }>(world.db, 'SELECT number FROM orders WHERE id = $1', [
    owed.orderId,
  ]);
  expect(await idsOf('?status=PROCESSING')).toEqual([owed.refundId]);
  expect(await idsOf('?status=ABANDONED')).toEqual([]);
  expect(await idsOf(`?order=${settled.orderId}`)).toEqual([settled.refundId]);
  expect(await idsOf(`?order=${order!.number}`)).toEqual([owed.refundId]);
  expect(await idsOf('?order=ORD-0')).toEqual([]);
  expect(await idsOf('?page=2&pageSize=1')).toEqual([settled.refundId]);
});

describe('one', () => {
  const show = async (id: string, token = clerk.token) =>
    world.http.get(`/api/v1/admin/payment-refunds/${id}`).auth(token, { type: 'bearer' });
  const readings = () =>
    rows<{ actor: string }>(
      world.db,
      `SELECT actor_id AS actor FROM audit_records WHERE action = 'payment-refund.read-destination'`,
    );

  test('shows where the money goes, and who has read it is recorded', async () => {
    const { status, body } = await show(owed.refundId);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: owed.refundId,
      payoutDetails: {
        method: 'BANK_TRANSFER',
        accountHolder: 'Ada Lovelace',
        iban: 'DE89370400440532013000',
      },
    });
    expect(await readings()).toEqual([{ actor: clerk.id }]);
  });

  test('that was sent shows no destination, and nothing is recorded', async () => {
    const before = await readings();
    expect((await show(settled.refundId)).body.data).toMatchObject({ payoutDetails: null });
    expect(await readings()).toEqual(before);
  });

  test('details that cannot be opened do not break the answer', async () => {
    await execute(
      world.db,
      `UPDATE users SET payout_sealed = decode('00', 'hex') || payout_sealed WHERE id = $1`,
      [owed.ada.buyer.id],
    );
    expect((await show(owed.refundId)).body.data.payoutDetails).toBeNull();
    expect((await list()).status).toBe(200);
  });

  test('404 REFUND_NOT_FOUND, and 403 FORBIDDEN for buyers', async () => {
    expect(outcomeOf(await show(randomUUID()))).toBe('404 REFUND_NOT_FOUND');
    expect(outcomeOf(await show(owed.refundId, await signIn(world, owed.ada.buyer)))).toBe('403 FORBIDDEN');
  });

  test('403 FORBIDDEN for whose own refund it is', async () => {
    await execute(world.db, `UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [owed.ada.buyer.id]);
    expect(outcomeOf(await show(owed.refundId, await signIn(world, owed.ada.buyer)))).toBe('403 FORBIDDEN');
    await execute(world.db, `UPDATE users SET roles = '{USER}' WHERE id = $1`, [owed.ada.buyer.id]);
  });
});

test('a refund that was given up requires no transfer, and shows no destination, while a dispute is open', async () => {
  const order = await orderToRefund(world.db);
  await orderSteps(world.db).abandonRefund({ refundId: order.refundId, at: new Date().toISOString() });
  await execute(
    world.db,
    `UPDATE users SET payout_method = a.payout_method, payout_masked = a.payout_masked, payout_sealed = a.payout_sealed,
       payout_changed_at = a.payout_changed_at
     FROM users a WHERE a.id = $1 AND users.id = $2`,
    [owed.ada.buyer.id, order.userId],
  );
  const listed = async () =>
    ((await list(`?order=${order.orderId}`)).body.data.refunds as Record<string, unknown>[]).map(
      ({ id, amount, status, needsTransfer, payoutDetails, chargebackId, splitFrom }) => ({
        isPart: id !== order.refundId && splitFrom === order.refundId,
        refund: `${Number(amount)} ${String(status)}`,
        needsTransfer,
        hasDestination: payoutDetails !== null,
        isChargedBack: chargebackId !== null,
      }),
    );
  const bankActs = async (type: 'payment.charged_back' | 'payment.chargeback_lost'): Promise<void> => {
    const webhookEventId = await stored(world.db, type, order, { chargebackId: 'one', amountMinor: 2_000 });
    await orderSteps(world.db).applyPaymentEvent({ webhookEventId, at: new Date().toISOString() });
  };
  const givenUp = { isPart: false, refund: '50 ABANDONED', isChargedBack: false };
  expect(await listed()).toEqual([{ ...givenUp, needsTransfer: true, hasDestination: true }]);
  await bankActs('payment.charged_back');
  expect(await listed()).toEqual([{ ...givenUp, needsTransfer: false, hasDestination: false }]);
  const { body } = await world.http
    .get(`/api/v1/admin/payment-refunds/${order.refundId}`)
    .auth(clerk.token, { type: 'bearer' });
  expect(body.data).toMatchObject({ needsTransfer: false, payoutDetails: null });
  await bankActs('payment.chargeback_lost');
  const after = await listed();
  expect(after).toHaveLength(2);
  expect(after).toContainEqual({
    ...givenUp,
    refund: '30 ABANDONED',
    needsTransfer: true,
    hasDestination: true,
  });
  expect(after).toContainEqual({
    isPart: true,
    refund: '20 CHARGED_BACK',
    needsTransfer: false,
    hasDestination: false,
    isChargedBack: true,
  });
});

test('refused: another status, and buyers', async () => {
  expect(outcomeOf(await list('?status=SENT'))).toBe('400 VALIDATION_ERROR');
  expect(outcomeOf(await list('', await signIn(world, owed.ada.buyer)))).toBe('403 FORBIDDEN');
});
