import { setTimeout as pause } from 'node:timers/promises';
import { rows } from '../../../db/sql/query';
import { FakeStripe } from '../../support/fakes/fake-stripe';
import type { Variables } from '../../support/worlds/variables';
import { Client } from '../requests/client';
import type { Fault, FaultContext } from '../fault';
import type { Buyer } from '../scenario/shop';
import { seen } from './moments';

const BUYERS = 4;
/** The payment window of this fault's worker, a restart of it, and the look-ups, several times over. */
const SETTLED_WITHIN_MS = 240_000;

const stripeVariables = (stripe: FakeStripe): Variables => ({
  PAYMENT_PROVIDER: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_faults',
  STRIPE_WEBHOOK_SECRETS: `whsec_${'f'.repeat(32)}`,
  STRIPE_API_BASE: stripe.url,
  POLICY_CARD_WINDOW_MINUTES: '1',
});

/** Orders something, opens two pages for it, and pays the older one. Answers the order's id. */
async function payOlderPage(
  { stack, shop, log, random }: FaultContext,
  stripe: FakeStripe,
  buyer: Buyer,
): Promise<string> {
  const client = new Client(() => stack.frontPort, buyer, log, 30_000);
  const goods = { productId: random.pick(shop.goods), quantity: 1 };
  await client.send({ operation: 'clear', method: 'DELETE', path: '/api/v1/cart' });
  await client.send({
    operation: 'add',
    method: 'POST',
    path: '/api/v1/cart/items',
    body: goods,
    goods,
    keyed: true,
  });
  const { orderId } = await client.send({
    operation: 'checkout',
    method: 'POST',
    path: '/api/v1/cart/checkout',
    keyed: true,
    body: { shippingAddressId: buyer.addressId, shippingMethodId: shop.methodId, paymentMethod: 'CARD' },
  });
  if (orderId === null) throw new Error('an order could not be placed with Stripe');
  const path = `/api/v1/orders/${orderId}/pay`;
  const body = { paymentMethod: 'EWALLET' };
  await client.send({ operation: 'pay', method: 'POST', path, body, keyed: true, orderId });
  const attempts = await rows<{ id: string }>(
    stack.db,
    'SELECT id FROM payment_attempts WHERE order_id = $1 ORDER BY sequence',
    [orderId],
  );
  if (attempts.length !== 2) throw new Error(`order ${orderId} has ${attempts.length} attempts`);
  stripe.state.pay(stripe.state.sessionOf(attempts[0]!.id).id);
  return orderId;
}

/**
 * Two attempts at Stripe, the older one paid, and no report ever comes; Stripe fails while it is queried, and the worker
 * that queries it is killed. When the window has passed, every one of these orders is paid.
 */
const olderPagePaid: Fault = {
  name: 'Stripe: of two attempts the older one is paid, and nobody reports it',
  heavy: true,
  async inject(context) {
    const { stack, people, random } = context;
    await context.load;
    const stripe = await FakeStripe.start();
    const name = `stripe-worker-${random.int(1, 1_000_000)}`;
    const worker = await stack.another('worker', name, stripeVariables(stripe));
    const usual = stack.workers.filter((other) => other !== worker);
    try {
      await Promise.all(usual.map((other) => other.stop()));
      await worker.start();
      const orders = [];
      for (const buyer of people.buyers.slice(0, BUYERS))
        orders.push(await payOlderPage(context, stripe, buyer));
      await pause(50_000);
      stripe.mood = 'fails';
      await pause(random.int(12_000, 20_000));
      await worker.kill();
      stripe.mood = 'answers';
      await worker.start();
      const unpaid = `SELECT 1 WHERE NOT EXISTS (
        SELECT 1 FROM orders WHERE id = ANY ($1::uuid[]) AND status IN ('PENDING_PAYMENT', 'PAID'))`;
      if (!(await seen(stack.db, unpaid, [orders], SETTLED_WITHIN_MS)))
        throw new Error('the orders still wait for payment');
      const lost = await rows<{ id: string; status: string }>(
        stack.db,
        `SELECT id, status FROM orders WHERE id = ANY ($1::uuid[]) AND status <> 'PROCESSING'`,
        [orders],
      );
      if (lost.length > 0) throw new Error(`paid orders are ${lost.map(({ status }) => status).join(', ')}`);
    } finally {
      await Promise.all(usual.map((other) => other.start()));
      await stack.retire(worker);
      await stripe.stop();
    }
  },
};

/** Faults that only Stripe causes. */
export const stripe: readonly Fault[] = [olderPagePaid];
