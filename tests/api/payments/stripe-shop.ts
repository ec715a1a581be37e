import { firstRow } from '../../../db/sql/query';
import { eventually } from '../../support/checks/eventually';
import { make } from '../../support/builders/make';
import { orderRow } from '../../support/builders/sandbox';
import { shopper, type PlacedOrder } from '../../support/builders/shop';
import { stripeEvent, stripeSecrets, stripeSignature } from '../../support/fakes/stripe-events';
import type { World } from '../../support/worlds/world';

/** Configuration of a platform that takes payments through a fake of Stripe. */
export const variablesFor = (url: string) => ({
  PAYMENT_PROVIDER: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRETS: stripeSecrets.join(','),
  STRIPE_API_BASE: url,
});

/** An order that was placed and waits for its page to be paid. */
export async function ordered(world: World) {
  const product = await make.product(world.db, { stock: 10 });
  const ada = await shopper(world, [{ productId: product.id, quantity: 2 }]);
  return { ada, ...(await ada.order()) };
}

export const attemptOf = async (world: World, { orderId }: PlacedOrder) =>
  (await firstRow<{ id: string; reference: string; amountMinor: number }>(
    world.db,
    `SELECT id, provider_reference AS reference, amount_minor FROM payment_attempts
      WHERE order_id = $1 ORDER BY sequence DESC LIMIT 1`,
    [orderId],
  ))!;

/** Stripe reports, signed. */
export async function report(world: World, type: string, object: object): Promise<void> {
  const payload = JSON.stringify(stripeEvent(type, object));
  await world.http
    .post('/api/v1/payments/webhooks/stripe')
    .set('content-type', 'application/json')
    .set('stripe-signature', stripeSignature(payload))
    .send(payload)
    .expect(202);
}

export const becomes = (world: World, { orderId }: PlacedOrder, expected: string): Promise<void> =>
  eventually(async () => {
    const { status, paymentStatus } = await orderRow(world, orderId);
    expect(`${status} ${paymentStatus}`).toBe(expected);
  });
