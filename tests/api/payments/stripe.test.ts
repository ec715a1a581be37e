import { firstRow } from '../../../db/sql/query';
import { violations } from '../../support/checks/violations';
import { shopper, type PlacedOrder } from '../../support/builders/shop';
import { disputeObject, sessionObject } from '../../support/fakes/stripe-events';
import { startStripeMock, type StripeMock } from '../../support/servers/stripe-mock';
import { startWorld, type World } from '../../support/worlds/world';
import { eventually } from '../../support/checks/eventually';
import { FakeStripe } from '../../support/fakes/fake-stripe';
import { make } from '../../support/builders/make';
import { attemptOf, becomes, ordered, report, variablesFor } from './stripe-shop';

const refundOf = (world: World, { orderId }: PlacedOrder) =>
  firstRow<{ status: string; refund: string | null }>(
    world.db,
    'SELECT status, provider_refund_id AS refund FROM payment_refunds WHERE order_id = $1',
    [orderId],
  );

describe('the platform with Stripe, against stripe-mock', () => {
  let mock: StripeMock;
  let world: World;
  beforeAll(async () => {
    mock = await startStripeMock();
    world = await startWorld({ variables: variablesFor(mock.url) });
  });
  afterAll(async () => {
    await world.teardown();
    await mock.stop();
  });

  test('checkout, the page, the report, PAID, cancelled, refunded', async () => {
    const order = await ordered(world);
    expect(order.payment.paymentUrl).toMatch(/^https:\/\/checkout\.stripe\.com\//);
    const attempt = await attemptOf(world, order);
    expect(attempt.reference).toMatch(/^cs_test_/);
    const paid = { id: attempt.reference, payment_intent: 'pi_1', amount_total: attempt.amountMinor };
    await report(world, 'checkout.session.completed', sessionObject(attempt.id, paid));
    await becomes(world, order, 'PROCESSING PAID');
    const { status } = await order.ada.post(`/orders/${order.orderId}/cancel`, {
      reason: 'No longer needed',
    });
    expect(status).toBe(200);
    await becomes(world, order, 'CANCELLED REFUNDED');
    expect(await refundOf(world, order)).toEqual({
      status: 'COMPLETED',
      refund: expect.stringMatching(/^re_/),
    });
    expect(await violations(world.db)).toEqual([]);
  });
});

describe('the platform with Stripe, against one that remembers', () => {
  let bank: FakeStripe;
  let world: World;
  beforeAll(async () => {
    bank = await FakeStripe.start();
    world = await startWorld({ variables: variablesFor(bank.url) });
  });
  afterAll(async () => {
    expect(await violations(world.db)).toEqual([]);
    await world.teardown();
    await bank.stop();
  });
  beforeEach(() => {
    bank.mood = 'answers';
  });

  /** An order that was paid on its page, and Stripe said so. */
  async function paid() {
    const order = await ordered(world);
    const attempt = await attemptOf(world, order);
    const session = bank.state.sessionOf(attempt.id);
    const paymentId = bank.state.pay(session.id);
    await report(world, 'checkout.session.completed', session);
    await becomes(world, order, 'PROCESSING PAID');
    return { order, attempt, session, paymentId };
  }

  test('an order stays while Stripe does not answer; opened again, there is a page', async () => {
    bank.mood = 'is silent';
    const order = await ordered(world);
    expect(order.payment).not.toHaveProperty('paymentUrl');
    bank.mood = 'answers';
    const again = await order.ada.post(`/orders/${order.orderId}/pay`, { paymentMethod: 'CARD' });
    expect(again.status).toBe(201);
    expect(again.body.data.payment.paymentUrl).toMatch(/^https:\/\/checkout\.stripe\.test\//);
  });

  test('an answer that was lost, and a request that came twice, open one session', async () => {
    bank.mood = 'loses the answer';
    setTimeout(() => (bank.mood = 'answers'), 100);
    const product = await make.product(world.db, { stock: 10 });
    const ada = await shopper(world, [{ productId: product.id }]);
    const answers = [await ada.checkout({}, 'once'), await ada.checkout({}, 'once')];
    const [first, second] = answers.map(({ body }) => body.data as PlacedOrder);
    expect(second).toEqual(first);
    const session = bank.state.sessionOf((await attemptOf(world, first!)).id);
    expect(first!.payment.paymentUrl).toBe(session.url);
  });

  test('an older report that comes late changes nothing', async () => {
    const { order, session } = await paid();
    await report(world, 'checkout.session.expired', { ...session, payment_status: 'unpaid' });
    const failed = { id: session.payment_intent, amount: session.amount_total, currency: 'usd' };
    await report(world, 'payment_intent.payment_failed', { ...failed, metadata: session.metadata });
    await report(world, 'checkout.session.async_payment_failed', session);
    await eventually(async () => {
      const open = await firstRow<{ count: number }>(
        world.db,
        `SELECT count(*) FROM webhook_events WHERE status <> 'PROCESSED'`,
      );
      expect(open!.count).toBe(0);
    });
    await becomes(world, order, 'PROCESSING PAID');
  });

  test('a card that is declined leaves the page open, and another card pays', async () => {
    const order = await ordered(world);
    const session = bank.state.sessionOf((await attemptOf(world, order)).id);
    const failed = { id: 'pi_declined', amount: session.amount_total, currency: 'usd' };
    await report(world, 'payment_intent.payment_failed', { ...failed, metadata: session.metadata });
    await becomes(world, order, 'PENDING_PAYMENT FAILED');
    bank.state.pay(session.id);
    await report(world, 'checkout.session.completed', session);
    await becomes(world, order, 'PROCESSING PAID');
  });

  test('an order that its buyer cancels in the window has no page any more, and cannot be paid', async () => {
    const order = await ordered(world);
    const { id } = await attemptOf(world, order);
    const cancelled = await order.ada.post(`/orders/${order.orderId}/cancel`, { reason: 'No longer needed' });
    expect(cancelled.status).toBe(200);
    await eventually(() => expect(bank.state.sessionOf(id).status).toBe('expired'));
    expect(() => bank.state.pay(bank.state.sessionOf(id).id)).toThrow('is expired.');
    const again = await order.ada.post(`/orders/${order.orderId}/pay`, { paymentMethod: 'CARD' });
    expect([again.status, again.body.error.code]).toEqual([400, 'NOT_PAYABLE']);
  });

  test('money that Stripe sent back without our hearing of it is found, and sent once', async () => {
    const { order, paymentId } = await paid();
    bank.mood = 'loses the answer';
    await order.ada.post(`/orders/${order.orderId}/cancel`, { reason: 'No longer needed' });
    await eventually(() => expect(bank.state.refunds.map((r) => r.payment_intent)).toContain(paymentId));
    bank.mood = 'answers';
    await becomes(world, order, 'CANCELLED REFUNDED');
    expect(bank.state.refunds.filter((r) => r.payment_intent === paymentId)).toHaveLength(1);
  });

  test('a dispute takes the money back and may return it; the order goes on', async () => {
    const { order, paymentId, attempt } = await paid();
    const dispute = disputeObject(paymentId, { amount: attempt.amountMinor });
    const chargedBack = (minor: number) =>
      eventually(async () =>
        expect(
          await firstRow(
            world.db,
            'SELECT charged_back_minor AS minor FROM payment_captures WHERE order_id = $1',
            [order.orderId],
          ),
        ).toEqual({ minor }),
      );
    await report(world, 'charge.dispute.funds_withdrawn', dispute);
    await chargedBack(attempt.amountMinor);
    await report(world, 'charge.dispute.funds_reinstated', dispute);
    await chargedBack(0);
    await becomes(world, order, 'PROCESSING PAID');
  });
});
