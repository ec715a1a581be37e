import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { orderSteps } from '../../../support/builders/ordering';
import { signIn } from '../../../support/builders/sign-in';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { shopper, type Shopper } from '../../../support/builders/shop';
import { orderRow } from '../../../support/builders/sandbox';
import type { World } from '../../../support/worlds/world';
import { stored } from '../../../activities/commerce/chargeback/chargebacks';
import { staff } from '../../orders/returning';
import { startStuckWorld, type StuckWorld } from '../operations/stuck-refund';
import { outcomeOf } from '../admin-world';
import { LOOK_ALIKES, UNSEEN } from '../bank-references';
import { given } from '../../../support/builders/given';

let stuck: StuckWorld;
beforeAll(async () => {
  stuck = await startStuckWorld();
  stuck.bank.refuses = false;
});
afterAll(async () => {
  expect(await violations(stuck.world.db)).toEqual([]);
  await stuck.world.teardown();
});

/** A buyer whose order was paid by transfer and cancelled, and the refund that a person has to send. */
async function owedByTransfer(
  world: World,
  token: string,
): Promise<{ ada: Shopper; orderId: string; refundId: string; transactionId: string }> {
  const product = await make.product(world.db);
  const ada = await shopper(world, [{ productId: product.id }]);
  const { orderId, payment } = await ada.order({ paymentMethod: 'BANK_TRANSFER' });
  const transactionId = `IN-${orderId}`;
  const confirmed = await world.http
    .post(`/api/v1/admin/orders/${orderId}/payment`)
    .auth(token, { type: 'bearer' })
    .send({ amount: payment.amount, transactionId });
  expect(confirmed.status).toBe(200);
  await eventually(async () => expect((await orderRow(world, orderId)).status).toBe('PROCESSING'));
  await ada.post(`/orders/${orderId}/cancel`, { reason: 'Changed my mind' });
  const refund = await firstRow<{ id: string }>(
    world.db,
    'SELECT id FROM payment_refunds WHERE order_id = $1',
    [orderId],
  );
  return { ada, orderId, refundId: refund!.id, transactionId };
}

describe('GET /admin/payment-refunds', () => {
  let world: World;
  let clerk: Awaited<ReturnType<typeof staff>>;
  let owed: Awaited<ReturnType<typeof owedByTransfer>>;
  let settled: Awaited<ReturnType<typeof owedByTransfer>>;
  beforeAll(async () => {
    world = stuck.world;
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
      participation: null,
      topUp: null,
      entrance: null,
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
    const order = await given(world.db).order().paid().cancelled();
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
});

describe('POST /admin/payment-refunds/:id/settle', () => {
  const settle = async (
    id: string,
    {
      reference = randomUUID(),
      token = stuck.token,
      key,
      amount,
    }: { reference?: string; token?: string; key?: string; amount?: number } = {},
  ): Promise<Response> => {
    const request = stuck.world.http
      .post(`/api/v1/admin/payment-refunds/${id}/settle`)
      .auth(token, { type: 'bearer' });
    if (key) void request.set('Idempotency-Key', key);
    return request.send({ reference, amount });
  };

  test('a transfer waits for a person, and ends when it is said to be sent', async () => {
    const { orderId, refundId } = await owedByTransfer(stuck.world, stuck.token);
    const process = stuck.world.temporal.workflow.getHandle(`payment-refund:${refundId}`);
    await eventually(async () => {
      const { currentDetails } = await process.query<{ currentDetails: string }>(
        '__temporal_workflow_metadata',
      );
      expect(currentDetails).toContain('Waits for a person to send the money');
    });
    expect((await orderRow(stuck.world, orderId)).paymentStatus).toBe('PAID');
    const { status, body } = await settle(refundId, { reference: 'OUT-2' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: refundId, status: 'COMPLETED', settlementReference: 'OUT-2' });
    expect(await process.result()).toBe('COMPLETED');
    expect(await orderRow(stuck.world, orderId)).toEqual({ status: 'CANCELLED', paymentStatus: 'REFUNDED' });
  });

  test('under its key it is answered as the first time; another is ALREADY_SETTLED', async () => {
    const { refundId } = await owedByTransfer(stuck.world, stuck.token);
    const command = { reference: randomUUID(), key: randomUUID() };
    const first = await settle(refundId, command);
    const again = await settle(refundId, command);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(outcomeOf(await settle(refundId))).toBe('409 ALREADY_SETTLED');
  });

  test('twins at once: one settles', async () => {
    const { refundId } = await owedByTransfer(stuck.world, stuck.token);
    const answers = await Promise.all([settle(refundId), settle(refundId)]);
    expect(answers.map(outcomeOf).sort()).toEqual(['200', '409 ALREADY_SETTLED']);
  });

  test('one that was given up is settled although its process is over; a wrong reference first', async () => {
    const { orderId, workflowId } = await stuck.stuckRefund();
    stuck.bank.refuses = false;
    const refundId = workflowId.replace('payment-refund:', '');
    expect(outcomeOf(await settle(refundId))).toBe('400 CANNOT_SETTLE');
    await stuck.decide(workflowId, 'abandon');
    await eventually(async () =>
      expect((await stuck.world.temporal.workflow.getHandle(workflowId).describe()).status.name).toBe(
        'COMPLETED',
      ),
    );
    const other = await owedByTransfer(stuck.world, stuck.token);
    const reference = randomUUID();
    await settle(other.refundId, { reference });
    const wrong = await settle(refundId, { reference });
    expect(outcomeOf(wrong)).toBe('400 VALIDATION_ERROR');
    expect(wrong.body.error).toMatchObject({
      reason: 'TRANSFER_ALREADY_USED',
      details: {
        reference: ['is already recorded for another payment'],
      },
    });
    expect(outcomeOf(await settle(refundId))).toBe('200');
    expect(await orderRow(stuck.world, orderId)).toEqual({ status: 'CANCELLED', paymentStatus: 'REFUNDED' });
  });

  test('VALIDATION_ERROR: an amount that is not what the refund is of now', async () => {
    const { refundId } = await owedByTransfer(stuck.world, stuck.token);
    const shown = await stuck.world.http
      .get(`/api/v1/admin/payment-refunds/${refundId}`)
      .auth(stuck.token, { type: 'bearer' });
    const amount: number = shown.body.data.amount;
    const wrong = await settle(refundId, { amount: amount + 0.01 });
    expect(outcomeOf(wrong)).toBe('400 VALIDATION_ERROR');
    expect(wrong.body.error).toMatchObject({
      reason: 'REFUND_AMOUNT_DIFFERS',
      details: {
        amount: [expect.any(String)],
      },
    });
    for (const bad of [0, -1, 0.001])
      expect(outcomeOf(await settle(refundId, { amount: bad }))).toBe('400 VALIDATION_ERROR');
    expect(outcomeOf(await settle(refundId, { amount }))).toBe('200');
  });

  test('REFUND_NOT_FOUND: there is none', async () => {
    expect(outcomeOf(await settle(randomUUID()))).toBe('404 REFUND_NOT_FOUND');
  });

  test('FORBIDDEN: of an own order', async () => {
    const { ada, refundId } = await owedByTransfer(stuck.world, stuck.token);
    await execute(stuck.world.db, `UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [ada.buyer.id]);
    const token = await signIn(stuck.world, ada.buyer);
    expect(outcomeOf(await settle(refundId, { token }))).toBe('403 FORBIDDEN');
  });

  test.each([...UNSEEN, 'x'.repeat(201)])('VALIDATION_ERROR: a reference like %j', async (reference) => {
    const refused = await settle(randomUUID(), { reference });
    expect(outcomeOf(refused)).toBe('400 VALIDATION_ERROR');
    expect(Object.keys(refused.body.error.details)).toEqual(['reference']);
  });

  test.each(LOOK_ALIKES)('VALIDATION_ERROR: of two refunds, %s', async (_what, like) => {
    const [first, other] = [
      await owedByTransfer(stuck.world, stuck.token),
      await owedByTransfer(stuck.world, stuck.token),
    ];
    const reference = `BANK-${randomUUID().slice(0, 8)}-7`;
    const settled = await settle(first.refundId, { reference: like(reference) });
    expect(settled.body.data.settlementReference.toUpperCase().replaceAll(' ', '')).toBe(
      reference.toUpperCase(),
    );
    expect(outcomeOf(await settle(other.refundId, { reference }))).toBe('400 VALIDATION_ERROR');
  });
});
