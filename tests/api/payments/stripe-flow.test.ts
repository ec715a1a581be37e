import { firstRow } from '../../../db/sql/query';
import { violations } from '../../support/checks/violations';
import type { PlacedOrder } from '../../support/builders/shop';
import { sessionObject } from '../../support/fakes/stripe-events';
import { startStripeMock, type StripeMock } from '../../support/servers/stripe-mock';
import { startWorld, type World } from '../../support/worlds/world';
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
