import { execute } from '../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../workers/queues';
import { given } from '../../support/builders/given';
import { make } from '../../support/builders/make';
import { orderRow, press } from '../../support/builders/sandbox';
import type { Shopper } from '../../support/builders/shop';
import { signIn } from '../../support/builders/sign-in';
import { eventually } from '../../support/checks/eventually';
import { ownCheckedWorld } from '../../support/worlds/world';

const world = ownCheckedWorld({ queues: ['interactive', 'ingest', ...PROVIDER_QUEUES] });

interface Detail {
  status: string;
  payment: object;
  refunds: { id: string; amount: number; status: string; reason: string; completedAt: string | null }[];
  refundedAmount: number;
}
const detailOf = async (ada: Shopper, orderId: string): Promise<Detail> =>
  (await ada.get(`/orders/${orderId}`)).body.data as Detail;
const UNPAID = { transactionId: null, paidAt: null };

describe('a buyer who lost the answer of the checkout', () => {
  it.each(['CARD', 'EWALLET', 'BANK_TRANSFER'] as const)('can still pay by %s', async (paymentMethod) => {
    const { ada, orderId, payment } = await given(world).order({ paymentMethod });
    const { method, amount, currency, ...means } = payment as typeof payment & { currency: string };
    expect([amount, currency]).toEqual([30, 'USD']);
    expect(Object.keys(means)).toEqual([
      method === 'BANK_TRANSFER' ? 'bankDetails' : 'paymentUrl',
      'expiresAt',
    ]);
    expect((await detailOf(ada, orderId)).payment).toEqual({ method, ...UNPAID, ...means });
  });

  it('pays by the newest attempt', async () => {
    const { ada, orderId } = await given(world).order();
    const again = await ada.post(`/orders/${orderId}/pay`, { paymentMethod: 'BANK_TRANSFER' });
    const { bankDetails, expiresAt } = again.body.data.payment;
    const { payment } = await detailOf(ada, orderId);
    expect(payment).toEqual({ method: 'BANK_TRANSFER', ...UNPAID, bankDetails, expiresAt });
  });

  it('is told how long the order waits when the attempt was declined, or its time has passed', async () => {
    const { ada, orderId, payment } = await given(world).order();
    const { expiresAt } = payment as typeof payment & { expiresAt: string };
    await press(world, payment.paymentUrl!, 'decline');
    await eventually(async () => expect((await orderRow(world, orderId)).paymentStatus).toBe('FAILED'));
    expect((await detailOf(ada, orderId)).payment).toEqual({ method: 'CARD', ...UNPAID, expiresAt });

    const late = await given(world).order({ paymentMethod: 'BANK_TRANSFER' });
    const transfer = late.payment as typeof payment & { expiresAt: string };
    await late.ada.post(`/orders/${late.orderId}/pay`, { paymentMethod: 'CARD' });
    await execute(
      world.db,
      `UPDATE payment_attempts SET expires_at = now() - interval '1 second' WHERE order_id = $1`,
      [late.orderId],
    );
    const waiting = { method: 'CARD', ...UNPAID, expiresAt: transfer.expiresAt };
    expect((await detailOf(late.ada, late.orderId)).payment).toEqual(waiting);
    await execute(
      world.db,
      `UPDATE orders SET payment_expires_at = now() - interval '1 second' WHERE id = $1`,
      [late.orderId],
    );
    expect((await detailOf(late.ada, late.orderId)).payment).toEqual({ method: 'CARD', ...UNPAID });
  });

  it('is offered nothing for an order that no longer waits', async () => {
    const paid = await given(world).order().paid();
    expect((await detailOf(paid.ada, paid.orderId)).payment).toEqual({
      method: 'CARD',
      transactionId: expect.any(String),
      paidAt: expect.any(String),
    });
    const { ada, orderId } = await given(world).order();
    await ada.post(`/orders/${orderId}/cancel`, { reason: 'Changed my mind' });
    expect((await detailOf(ada, orderId)).payment).toEqual({ method: 'CARD', ...UNPAID });
  });
});

describe('the refunds of an order', () => {
  const lines = ({ refunds }: Detail) =>
    refunds.map(({ amount, status, reason }) => `${amount} ${status}: ${reason}`);
  const isBack = (ada: Shopper, orderId: string, refundedAmount: number) =>
    eventually(async () => expect((await detailOf(ada, orderId)).refundedAmount).toBe(refundedAmount));

  it('are none at first', async () => {
    const { ada, orderId } = await given(world).order();
    expect(await detailOf(ada, orderId)).toMatchObject({ refunds: [], refundedAmount: 0 });
  });

  it('are those of administrators and of the buyer, each once, newest first', async () => {
    const { ada, orderId } = await given(world).order().paid().shipped();
    const token = await signIn(world, await make.admin(world.db));
    const ask = (path: string, body: object) =>
      world.http.post(`/api/v1/admin${path}`).auth(token, { type: 'bearer' }).send(body).then();

    expect(
      (await ask(`/orders/${orderId}/refunds`, { amount: 5, reason: 'The parcel came late.' })).status,
    ).toBe(201);
    await isBack(ada, orderId, 5);
    const asked = await ada.post(`/orders/${orderId}/refund`, { reason: 'It does not fit.' });
    expect(asked.status).toBe(201);

    const waiting = await detailOf(ada, orderId);
    const amount = asked.body.data.requestedAmount as number;
    expect(lines(waiting)).toEqual([
      `${amount} PENDING_REVIEW: It does not fit.`,
      '5 COMPLETED: Refunded by the shop.',
    ]);
    expect(waiting.refunds[0]).toEqual({
      id: asked.body.data.refundRequestId,
      amount,
      status: 'PENDING_REVIEW',
      reason: 'It does not fit.',
      createdAt: asked.body.data.createdAt,
      completedAt: null,
    });
    expect(waiting.refunds[1]!.completedAt).toEqual(expect.any(String));

    const approved = await ask(`/refunds/${asked.body.data.refundRequestId}/approve`, { amount: 20 });
    expect(approved.status).toBe(200);
    await isBack(ada, orderId, 25);
    expect(lines(await detailOf(ada, orderId))).toEqual([
      '20 COMPLETED: It does not fit.',
      '5 COMPLETED: Refunded by the shop.',
    ]);
  });

  it('do not show the reason of an administrator to the buyer, who may be the reason', async () => {
    const { ada, orderId } = await given(world).order().paid().shipped();
    const token = await signIn(world, await make.admin(world.db));
    const ours = world.http.post(`/api/v1/admin/orders/${orderId}/refunds`).auth(token, { type: 'bearer' });
    expect((await ours.send({ amount: 5, reason: 'Goodwill, suspected fraud ring' })).status).toBe(201);

    expect(lines(await detailOf(ada, orderId))).toEqual([
      expect.stringMatching(/^5 [A-Z]+: Refunded by the shop\.$/),
    ]);
    const { text } = await ada.get('/users/me/export');
    expect(text).toContain('"reason":"Refunded by the shop."');
    expect(text).not.toContain('fraud ring');
    const shown = await world.http.get(`/api/v1/admin/orders/${orderId}`).auth(token, { type: 'bearer' });
    expect(lines(shown.body.data as Detail)).toEqual([
      expect.stringMatching(/^5 [A-Z]+: Goodwill, suspected fraud ring$/),
    ]);
  });

  it('are what a cancellation sends back, and what it returns to balances at once', async () => {
    const card = await given(world).order().paid().cancelled();
    await isBack(card.ada, card.orderId, 30);
    const { refunds } = await detailOf(card.ada, card.orderId);
    expect(refunds).toEqual([
      {
        id: card.refundId,
        amount: 30,
        status: 'COMPLETED',
        reason: 'The order was cancelled.',
        createdAt: expect.any(String),
        completedAt: expect.any(String),
      },
    ]);

    const wallet = await given(world).order({ paymentMethod: 'BALANCE' }).paid();
    await wallet.ada.post(`/orders/${wallet.orderId}/cancel`, { reason: 'Changed my mind' });
    const returned = await detailOf(wallet.ada, wallet.orderId);
    expect(lines(returned)).toEqual(['30 COMPLETED: The order was cancelled.']);
    expect([returned.status, returned.refundedAmount]).toEqual(['CANCELLED', 30]);
  });

  it('are payments that paid nothing, too', async () => {
    const { ada, orderId, payment } = await given(world).order();
    await press(world, payment.paymentUrl!, 'pay-twice');
    await isBack(ada, orderId, 30);
    const detail = await detailOf(ada, orderId);
    expect(lines(detail)).toEqual(['30 COMPLETED: The order had been paid already.']);
  });

  it('are at most the newest hundred', async () => {
    const { ada, orderId } = await given(world).order().paid();
    await execute(
      world.db,
      `INSERT INTO refund_requests (id, order_id, user_id, status, reason, currency, requested_minor, amount_minor,
         decision_id, decided_by, decided_at, concluded_at, created_at)
       SELECT gen_random_uuid(), o.id, o.user_id, 'REJECTED', 'Number ' || n, 'USD', n, n, gen_random_uuid(), o.user_id,
         now(), now(), now() + n * interval '1 second'
       FROM orders o, generate_series(1, 101) AS n WHERE o.id = $1`,
      [orderId],
    );
    const { refunds } = await detailOf(ada, orderId);
    expect(refunds.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 100 }, (_, i) => `Number ${101 - i}`),
    );
  });
});
