import { Webhook } from 'standardwebhooks';
import { v7 } from 'uuid';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { startConsumers } from '../../../../activities/administration/domain-event/start-forgotten';
import { startProcesses } from '../../../../workers/start';
import type { PaymentReportBody } from '../../../../workflows/commerce/payment/payment-report.rules';
import { given } from '../../../support/builders/given';
import { shopSteps, type ShopOrder } from '../../../support/builders/given/shop';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { eventually } from '../../../support/checks/eventually';
import { takeAllEvents } from '../../../support/checks/take-events';
import { violations } from '../../../support/checks/violations';
import { testVariables } from '../../../support/worlds/variables';
import { ownWorld } from '../../../support/worlds/world';

const world = ownWorld();
beforeAll(async () => {
  await startConsumers(startProcesses(world.temporal));
});
afterEach(async () => expect(await violations(world.db)).toEqual([]));

/** An order of 500.00 at 10 %, paid by card, whose buyer a partner has referred. */
async function referredOrder(): Promise<ShopOrder> {
  const { id: partnerId } = await make.partner(world.db);
  const product = await make.product(world.db, { priceMinor: 500_00 });
  await execute(world.db, 'UPDATE products SET commission_bp = 1000 WHERE id = $1', [product.id]);
  const order = await given(world).order({ goods: [{ productId: product.id }] });
  await execute(world.db, 'UPDATE users SET sponsor_id = $2 WHERE id = $1', [order.ada.buyer.id, partnerId]);
  await shopSteps(world).paid(order);
  return order;
}

const commissionsOf = (orderId: string) =>
  rows<{ type: number; netMinor: number; status: string }>(
    world.db,
    'SELECT type, net_minor, status FROM partner_commissions WHERE source_id = $1',
    [orderId],
  );
const counted = (orderId: string, expected: object[]) =>
  eventually(async () => expect(await commissionsOf(orderId)).toEqual(expected));
const EARNED = { type: 1, netMinor: 25_00, status: 'PENDING' };

/** Sends the provider's signed report that an order is paid. */
async function reportPaid(data: PaymentReportBody['data'], id: string): Promise<void> {
  const at = new Date();
  const body = JSON.stringify({ type: 'payment.paid', timestamp: at.toISOString(), data });
  const answer = await world.http
    .post('/api/v1/payments/webhooks/sandbox')
    .set('content-type', 'application/json')
    .set('webhook-id', id)
    .set('webhook-timestamp', String(Math.floor(at.getTime() / 1_000)))
    .set('webhook-signature', new Webhook(testVariables['SANDBOX_SECRET']!).sign(id, at, body))
    .send(body);
  // 200: the provider has sent the same report before.
  expect([200, 202]).toContain(answer.status);
}

test('a payment that is confirmed ten times makes one commission', async () => {
  const { orderId } = await referredOrder();
  const payment = await firstRow<PaymentReportBody['data']>(
    world.db,
    `SELECT attempt_id AS key, provider_payment_id AS payment_id, amount_minor, currency FROM payment_captures
     WHERE order_id = $1 AND applied`,
    [orderId],
  );
  const again = v7();
  const ids = [again, again, again, ...Array.from({ length: 6 }, () => v7())];
  await Promise.all(ids.map((id) => reportPaid(payment!, id)));
  await eventually(async () => {
    const open = await rows(world.db, `SELECT 1 FROM webhook_events WHERE status IN ('RECEIVED', 'WAITING')`);
    expect(open).toEqual([]);
  });
  await counted(orderId, [EARNED]);
  await takeAllEvents(world.db);
  expect(await commissionsOf(orderId)).toEqual([EARNED]);
  const sales = await rows(world.db, 'SELECT kind FROM partner_sales WHERE source_id = $1', [orderId]);
  expect(sales).toEqual([{ kind: 'ORDER' }]);
});

test('a refund that is turned down takes nothing back, one that is approved does', async () => {
  const order = await referredOrder();
  await counted(order.orderId, [EARNED]);
  const steps = shopSteps(world);
  await steps.shipped(order);
  await steps.delivered(order);
  const token = await signIn(world, await make.admin(world.db));
  const decide = async (decision: 'approve' | 'reject') => {
    const { refundRequestId } = await steps.refundRequested(order);
    const answer = await world.http
      .post(`/api/v1/admin/refunds/${refundRequestId}/${decision}`)
      .auth(token, { type: 'bearer' })
      .send(decision === 'reject' ? { reason: 'It was worn.' } : {});
    expect(answer.status).toBe(200);
  };
  await decide('reject');
  await takeAllEvents(world.db);
  expect(await commissionsOf(order.orderId)).toEqual([EARNED]);
  await decide('approve');
  await counted(order.orderId, [{ ...EARNED, status: 'REVERSED' }]);
});
