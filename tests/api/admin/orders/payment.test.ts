import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { z } from 'zod';
import { firstRow, rows, execute } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { ownCheckedWorld } from '../../../support/worlds/world';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { orderRow } from '../../../support/builders/sandbox';
import { shopper } from '../../../support/builders/shop';
import { signIn } from '../../../support/builders/sign-in';
import { staff, returning } from '../../orders/returning';
import { LOOK_ALIKES, UNSEEN } from '../bank-references';
import { outcomeOf } from '../admin-world';

let clerk: Awaited<ReturnType<typeof staff>>;
const world = ownCheckedWorld({ queues: ['interactive', 'ingest', ...PROVIDER_QUEUES] });
beforeAll(async () => {
  clerk = await staff(world);
});

describe('POST /admin/orders/:id/payment', () => {
  const confirm = async (orderId: string, body: object, token = clerk.token): Promise<Response> =>
    world.http.post(`/api/v1/admin/orders/${orderId}/payment`).auth(token, { type: 'bearer' }).send(body);
  async function transferOrder(paymentMethod: 'BANK_TRANSFER' | 'CARD' = 'BANK_TRANSFER') {
    const product = await make.product(world.db);
    const ada = await shopper(world, [{ productId: product.id }]);
    return { ada, ...(await ada.order({ paymentMethod })) };
  }

  const Confirmed = z.strictObject({
    orderId: z.uuid(),
    status: z.string(),
    paymentStatus: z.string(),
    outcome: z.string(),
  });
  const confirmed = ({ status, body }: Response): z.output<typeof Confirmed> => {
    expect(status).toBe(200);
    return Confirmed.parse(body.data);
  };
  const refusedBy = ({ status, body }: Response): [number, string] => [status, body.error.code];
  const returnsOf = (orderId: string) =>
    rows<{ id: string; reason: string; amount: number; provider: string }>(
      world.db,
      `SELECT r.id, r.reason, r.amount_minor AS amount, c.provider FROM payment_refunds r
     JOIN payment_captures c ON c.id = r.capture_id WHERE r.order_id = $1`,
      [orderId],
    );
  /** A process handles the return; only the recording of the money can have started it. */
  const isReturned = async (orderId: string, reason: string, amount: number): Promise<void> => {
    const refunds = await returnsOf(orderId);
    expect(refunds).toEqual([{ id: expect.any(String) as string, reason, amount, provider: 'bank' }]);
    await eventually(async () => {
      const process = world.temporal.workflow.getHandle(`payment-refund:${refunds[0]!.id}`);
      expect((await process.describe()).type).toBe('paymentRefund');
    });
  };

  it('applies a transfer: the order is paid, and the trail says by whom and from where', async () => {
    const { orderId } = await transferOrder();
    const answer = await confirm(orderId, { amount: 30, transactionId: 'BANK-1' });
    expect(confirmed(answer)).toEqual({ orderId, status: 'PAID', paymentStatus: 'PAID', outcome: 'APPLIED' });
    await eventually(async () =>
      expect(await orderRow(world, orderId)).toEqual({ status: 'PROCESSING', paymentStatus: 'PAID' }),
    );
    const trail = await firstRow(
      world.db,
      `SELECT actor_id AS actor, action, client_address AS address, next->>'transactionId' AS transaction
       FROM audit_records WHERE entity_id = $1`,
      [orderId],
    );
    expect(trail).toEqual({
      actor: clerk.id,
      action: 'order.confirm-transfer',
      address: expect.stringMatching(/127\.0\.0\.1/) as string,
      transaction: 'BANK-1',
    });
  });

  it('applies it to an order that was to be paid by card', async () => {
    const { orderId } = await transferOrder('CARD');
    const answer = await confirm(orderId, { amount: 30, transactionId: 'BANK-2' });
    expect(confirmed(answer)).toMatchObject({ status: 'PAID', outcome: 'APPLIED' });
  });

  it('sends back what came for an order that is cancelled, whose process is closed', async () => {
    const { ada: buyer, orderId } = await transferOrder();
    expect((await buyer.post(`/orders/${orderId}/cancel`, { reason: 'Too slow.' })).status).toBe(200);
    await world.temporal.workflow.getHandle(`checkout:${orderId}`).result();
    const answer = await confirm(orderId, { amount: 30, transactionId: 'BANK-3' });
    expect(confirmed(answer)).toEqual({
      orderId,
      status: 'CANCELLED',
      paymentStatus: 'FAILED',
      outcome: 'RETURNED',
    });
    await isReturned(orderId, 'LATE_PAYMENT', 3_000);
  });

  it('sends back what came for an order that is paid already, which stays as it is', async () => {
    const { orderId } = await transferOrder();
    await confirm(orderId, { amount: 30, transactionId: 'BANK-4' });
    await eventually(async () => expect((await orderRow(world, orderId)).status).toBe('PROCESSING'));
    const answer = await confirm(orderId, { amount: 30, transactionId: 'BANK-5' });
    expect(confirmed(answer)).toEqual({
      orderId,
      status: 'PROCESSING',
      paymentStatus: 'PAID',
      outcome: 'RETURNED',
    });
    await isReturned(orderId, 'DUPLICATE_PAYMENT', 3_000);
  });

  it('refuses another amount (AMOUNT_MISMATCH), or sends it back when requested', async () => {
    const { orderId } = await transferOrder();
    const less = { amount: 29.99, transactionId: 'BANK-6' };
    expect(refusedBy(await confirm(orderId, less))).toEqual([400, 'AMOUNT_MISMATCH']);
    expect(await returnsOf(orderId)).toEqual([]);
    const answer = await confirm(orderId, { ...less, onMismatch: 'RETURN' });
    expect(confirmed(answer)).toEqual({
      orderId,
      status: 'PENDING_PAYMENT',
      paymentStatus: 'PENDING',
      outcome: 'RETURNED',
    });
    await isReturned(orderId, 'AMOUNT_MISMATCH', 2_999);
  });

  it('takes one reference for one order: again for it the same answer, for another VALIDATION_ERROR', async () => {
    const [first, other] = [await transferOrder(), await transferOrder()];
    const body = { amount: 30, transactionId: 'BANK-7' };
    await confirm(first.orderId, body);
    expect(confirmed(await confirm(first.orderId, body)).outcome).toBe('APPLIED');
    expect(await returnsOf(first.orderId)).toEqual([]);
    const used = await confirm(other.orderId, body);
    expect(refusedBy(used)).toEqual([400, 'VALIDATION_ERROR']);
    expect(Object.keys(used.body.error.details)).toEqual(['transactionId']);
    expect((await orderRow(world, other.orderId)).status).toBe('PENDING_PAYMENT');
  });

  it.each(LOOK_ALIKES)('takes %s for the reference that it looks like', async (_what, like) => {
    const [first, other] = [await transferOrder(), await transferOrder()];
    const reference = `BANK-${randomUUID().slice(0, 8)}-7`;
    expect(confirmed(await confirm(first.orderId, { amount: 30, transactionId: reference })).outcome).toBe(
      'APPLIED',
    );
    const used = await confirm(other.orderId, { amount: 30, transactionId: like(reference) });
    expect(refusedBy(used)).toEqual([400, 'VALIDATION_ERROR']);
    expect(Object.keys(used.body.error.details)).toEqual(['transactionId']);
    expect(await returnsOf(other.orderId)).toEqual([]);
  });

  it.each(UNSEEN)('refuses a reference of nothing that is seen: %j', async (transactionId) => {
    const refused = await confirm(randomUUID(), { amount: 30, transactionId });
    expect(refusedBy(refused)).toEqual([400, 'VALIDATION_ERROR']);
    expect(Object.keys(refused.body.error.details)).toEqual(['transactionId']);
  });

  it('by two administrators at once for two orders: one is paid, the other is as it was and can be paid', async () => {
    const orders = [await transferOrder(), await transferOrder()];
    const answers = await Promise.all(
      orders.map(({ orderId }) => confirm(orderId, { amount: 30, transactionId: 'BANK-8' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const loser = answers.findIndex(({ status }) => status === 400);
    expect(refusedBy(answers[loser]!)).toEqual([400, 'VALIDATION_ERROR']);
    const again = await confirm(orders[loser]!.orderId, { amount: 30, transactionId: 'BANK-9' });
    expect(confirmed(again).outcome).toBe('APPLIED');
  });

  it('the same request again, under its key, gets the same answer', async () => {
    const { orderId } = await transferOrder();
    const send = () =>
      world.http
        .post(`/api/v1/admin/orders/${orderId}/payment`)
        .auth(clerk.token, { type: 'bearer' })
        .set('idempotency-key', `confirm-${orderId}`)
        .send({ amount: 30, transactionId: 'BANK-10' });
    const first = confirmed(await send());
    expect(confirmed(await send())).toEqual(first);
  });

  it('is for administrators, on orders of others, with a body', async () => {
    const { ada: buyer, orderId } = await transferOrder();
    const body = { amount: 30, transactionId: 'BANK-11' };
    expect((await confirm(orderId, body, buyer.token)).body.error.code).toBe('FORBIDDEN');
    expect((await world.http.post(`/api/v1/admin/orders/${orderId}/payment`).send(body)).status).toBe(401);
    expect((await confirm(randomUUID(), body)).body.error.code).toBe('ORDER_NOT_FOUND');
    expect((await confirm('nope', body)).body.error.code).toBe('ORDER_NOT_FOUND');
    const wrong = await confirm(orderId, { amount: 1.001, onMismatch: 'KEEP' });
    expect(Object.keys(wrong.body.error.details).sort()).toEqual(['amount', 'onMismatch', 'transactionId']);
    expect(refusedBy(await confirm(orderId, { ...body, amount: 0 }))).toEqual([400, 'VALIDATION_ERROR']);
    const product = await make.product(world.db);
    const boss = await shopper(world, [{ productId: product.id }], { roles: ['USER', 'ADMIN'] });
    const own = await boss.order({ paymentMethod: 'BANK_TRANSFER' });
    expect(refusedBy(await confirm(own.orderId, body, boss.token))).toEqual([403, 'FORBIDDEN']);
  });
});

describe('POST /admin/orders/:id/refunds', () => {
  const refund = async (
    orderId: string,
    body: object,
    { token = clerk.token, key }: { token?: string; key?: string } = {},
  ): Promise<Response> => {
    const request = world.http
      .post(`/api/v1/admin/orders/${orderId}/refunds`)
      .auth(token, { type: 'bearer' });
    if (key) void request.set('Idempotency-Key', key);
    return request.send({ reason: 'The parcel came late.', ...body });
  };

  test('an amount of an order by card: on its way at once, through its provider', async () => {
    const { orderId } = await returning(world, { method: 'CARD', to: 'SHIPPED' });
    const { status, body } = await refund(orderId, { amount: 12.34 });
    expect(status).toBe(201);
    expect(body.data).toEqual({ refundRequestId: expect.any(String), status: 'PROCESSING' });
    const process = world.temporal.workflow.getHandle(`refund:${body.data.refundRequestId}`);
    expect(await process.result()).toBe('COMPLETED');
    expect((await orderRow(world, orderId)).status).toBe('SHIPPED');
  });

  test('units, then the shipping: a full refund makes the order REFUNDED and ends its fulfilment', async () => {
    const { orderId, itemIds } = await returning(world, { to: null });
    const items = [2, 1].map((quantity, index) => ({ itemId: itemIds[index], quantity }));
    expect((await refund(orderId, { items })).body.data.status).toBe('COMPLETED');
    expect((await refund(orderId, { includeShipping: true })).body.data.status).toBe('COMPLETED');
    expect(await orderRow(world, orderId)).toEqual({ status: 'REFUNDED', paymentStatus: 'REFUNDED' });
    expect(await world.temporal.workflow.getHandle(`fulfilment:${orderId}`).result()).toBe('REFUNDED');
  });

  test('under its key it is one refund; twins at once are one too', async () => {
    const { orderId } = await returning(world);
    const key = randomUUID();
    const first = await refund(orderId, { amount: 1 }, { key });
    const again = await refund(orderId, { amount: 1 }, { key });
    expect([again.status, again.body]).toEqual([201, first.body]);
    const twinKey = randomUUID();
    const twins = await Promise.all([1, 2].map(() => refund(orderId, { amount: 2 }, { key: twinKey })));
    expect(twins.map(outcomeOf)).toContain('201');
    const kept = await rows(world.db, 'SELECT 1 FROM refund_requests WHERE order_id = $1', [orderId]);
    expect(kept).toHaveLength(2);
  });

  test.each([
    [{}, ['amount']],
    [{ amount: 1, items: [{ itemId: randomUUID(), quantity: 1 }] }, ['amount']],
    [{ includeShipping: false }, ['amount']],
    [{ amount: 0 }, ['amount']],
    [{ amount: 65.01 }, ['amount']],
    [{ items: [] }, ['items']],
    [{ items: [{ itemId: randomUUID(), quantity: 1 }] }, ['items.0.itemId']],
    [{ amount: 1, reason: '' }, ['reason']],
  ])('VALIDATION_ERROR: %j', async (body, fields) => {
    const { orderId } = await returning(world);
    const answer = await refund(orderId, body);
    expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(Object.keys(answer.body.error.details)).toEqual(fields);
  });

  test('CANNOT_REFUND: an unpaid order', async () => {
    const product = await make.product(world.db);
    const ada = await shopper(world, [{ productId: product.id }]);
    const { orderId } = await ada.order();
    expect(outcomeOf(await refund(orderId, { amount: 1 }))).toBe('400 CANNOT_REFUND');
  });

  test('REFUND_ALREADY_REQUESTED: units of an open request of the buyer, which blocks nothing else', async () => {
    const { orderId, itemIds, ask } = await returning(world);
    await ask();
    const items = [{ itemId: itemIds[0], quantity: 1 }];
    expect(outcomeOf(await refund(orderId, { items }))).toBe('409 REFUND_ALREADY_REQUESTED');
    expect(outcomeOf(await refund(orderId, { amount: 1 }))).toBe('201');
  });

  test('one unit of two: its buyer and administrators see it at the line', async () => {
    const { ada, orderId, itemIds } = await returning(world);
    const itemId = itemIds[0]!;
    expect(outcomeOf(await refund(orderId, { items: [{ itemId, quantity: 1 }] }))).toBe('201');
    const shown = [
      await ada.get(`/orders/${orderId}`),
      await world.http.get(`/api/v1/admin/orders/${orderId}`).auth(clerk.token, { type: 'bearer' }),
    ];
    for (const { body } of shown) {
      const items = body.data.items as { id: string; quantity: number; refundedQuantity: number }[];
      expect(items.map(({ id, quantity, refundedQuantity }) => [id, quantity, refundedQuantity])).toEqual([
        [itemId, 2, 1],
        [itemIds[1], 1, 0],
      ]);
    }
  });

  test('ORDER_NOT_FOUND: there is none', async () => {
    expect(outcomeOf(await refund(randomUUID(), { amount: 1 }))).toBe('404 ORDER_NOT_FOUND');
  });

  test('FORBIDDEN: an own order', async () => {
    const { ada, orderId } = await returning(world);
    await execute(world.db, `UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [ada.buyer.id]);
    const token = await signIn(world, ada.buyer);
    expect(outcomeOf(await refund(orderId, { amount: 1 }, { token }))).toBe('403 FORBIDDEN');
    await eventually(async () => expect((await orderRow(world, orderId)).status).toBe('DELIVERED'));
  });
});
