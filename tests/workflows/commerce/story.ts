import { createHash } from 'node:crypto';
import { Client, type WorkflowHandle } from '@temporalio/client';
import { v7 } from 'uuid';
import { keepNote } from '../../../db/administration/request-note.writes';
import { storeWebhookEvent } from '../../../db/commerce/webhook-event.writes';
import { firstRow, rows } from '../../../db/sql';
import {
  checkoutProcess,
  payOrder,
  placeOrder,
  type OfferedPayment,
  type OrderWish,
  type PlacedOrder,
} from '../../../workflows/commerce/checkout.contract';
import { fulfilmentProcess } from '../../../workflows/commerce/fulfilment.contract';
import { cancelOrder, type CancelledOrder } from '../../../workflows/commerce/order.contract';
import { paymentEventProcess } from '../../../workflows/commerce/payment-event.contract';
import { paymentReportType, type PaymentOutcome } from '../../../workflows/commerce/payment-report.rules';
import type { PaymentMethod } from '../../../workflows/commerce/payment.rules';
import { make } from '../../support/make';
import type { Buyer } from '../../support/make/people';
import type { SkippingWorld } from '../../support/skipping-world';

/** Two goods of 25 USD at 10 % off by the only use of a coupon, and 5 USD for the parcel. */
export const PRICE_MINOR = 5_000;

/**
 * Waits without letting time pass. The skipping world's own client unlocks the clock while it awaits a result, and
 * the clock then also runs ahead to timers that nobody waits for any more; in these stories only `sleep` moves it.
 */
export const patient = ({ temporal }: SkippingWorld): Client =>
  new Client({ connection: temporal.connection, namespace: temporal.options.namespace });

/** What a story of an order speaks of. Nothing is asked of its process yet. */
export interface Sale {
  orderId: string;
  userId: string;
  attemptId: string;
  buyer: Buyer;
  wish: OrderWish;
  stockItemId: string;
  couponId: string;
  checkout: WorkflowHandle;
  fulfilment: WorkflowHandle;
}

/** A buyer who is about to order two of ten goods. */
export async function sale(
  world: SkippingWorld,
  { method = 'CARD' as PaymentMethod, walletMinor = 0 } = {},
): Promise<Sale> {
  const { db } = world;
  const { workflow } = patient(world);
  const product = await make.product(db, { stock: 10 });
  const coupon = await make.coupon(db, { usageLimit: 1 });
  const buyer = await make.buyer(db, { walletMinor });
  await make.cart(db, buyer.id, [{ productId: product.id, quantity: 2 }]);
  const input = { orderId: v7(), userId: buyer.id };
  const attemptId = v7();
  const wish = {
    attemptId,
    shippingAddressId: buyer.addressId,
    billingAddressId: null,
    shippingMethodId: await make.shippingMethod(db),
    paymentMethod: method,
    couponCodes: [coupon.code],
    usePartnerBalance: false,
    noteId: null,
  };
  return {
    ...input,
    attemptId,
    buyer,
    wish,
    stockItemId: product.stockItemId!,
    couponId: coupon.id,
    checkout: workflow.getHandle(checkoutProcess.id(input)),
    fulfilment: workflow.getHandle(fulfilmentProcess.id(input)),
  };
}

export const place = (world: SkippingWorld, { orderId, userId, wish }: Sale): Promise<PlacedOrder> =>
  world.processes.open(checkoutProcess, { orderId, userId }, placeOrder, wish, {
    updateId: v7(),
    otherwise: 'CART_EMPTY',
  });

/** A sale whose order is placed. */
export async function placed(
  world: SkippingWorld,
  wishes?: Parameters<typeof sale>[1],
): Promise<Sale & { placed: PlacedOrder }> {
  const sold = await sale(world, wishes);
  return { ...sold, placed: await place(world, sold) };
}

/** Opens another attempt. */
export const payAgain = (
  world: SkippingWorld,
  { checkout }: Sale,
  paymentMethod: PaymentMethod,
  attemptId = v7(),
): Promise<OfferedPayment> =>
  world.processes.ask(
    checkout.workflowId,
    payOrder,
    { attemptId, paymentMethod },
    { updateId: v7(), otherwise: 'NOT_PAYABLE' },
  );

export async function noteOf({ db }: SkippingWorld, { userId }: Sale, text: string | null): Promise<string> {
  const id = v7();
  await keepNote(db, id, { actorId: userId, clientAddress: '192.0.2.7', text });
  return id;
}

/** The buyer changes their mind; which process is asked is the teller's choice. */
export const cancel = async (
  world: SkippingWorld,
  sold: Sale,
  by: 'checkout' | 'fulfilment' = 'checkout',
): Promise<CancelledOrder> =>
  world.processes.ask(
    sold[by].workflowId,
    cancelOrder,
    { noteId: await noteOf(world, sold, 'Found it cheaper.') },
    { updateId: v7(), otherwise: 'CANNOT_CANCEL' },
  );

/** A provider's report comes in; answers its process. */
export async function report(
  world: SkippingWorld,
  outcome: PaymentOutcome,
  { attemptId, amountMinor = PRICE_MINOR }: { attemptId: string; amountMinor?: number },
): Promise<WorkflowHandle> {
  const [webhookEventId, externalEventId] = [v7(), v7()];
  const type = paymentReportType(outcome);
  const data = { key: attemptId, paymentId: v7(), amountMinor, currency: 'USD' };
  const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data });
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const stored = { provider: 'sandbox', externalEventId, type, body, bodyHash, known: true, at: new Date() };
  await storeWebhookEvent(world.db, { id: webhookEventId, ...stored });
  const event = { provider: 'sandbox', externalEventId, webhookEventId };
  await world.processes.start(paymentEventProcess, event);
  return patient(world).workflow.getHandle(paymentEventProcess.id(event));
}

/** What the database says of an order and of what it held. */
export async function bookOf({ db }: Pick<SkippingWorld, 'db'>, sold: Sale) {
  const found = await firstRow<{ order: string; stock: string; couponUses: number }>(
    db,
    `SELECT (SELECT status || ' ' || payment_status FROM orders WHERE id = $1) AS "order",
       (SELECT available || ' + ' || reserved FROM stock_items WHERE id = $2) AS stock,
       (SELECT used_count FROM coupons WHERE id = $3) AS "couponUses"`,
    [sold.orderId, sold.stockItemId, sold.couponId],
  );
  const refunds = await rows<{ refund: string }>(
    db,
    `SELECT reason || ' ' || status AS refund FROM payment_refunds WHERE order_id = $1 ORDER BY id`,
    [sold.orderId],
  );
  return { ...found, refunds: refunds.map(({ refund }) => refund) };
}

/** What an order leaves behind that was never paid, or was never even placed. */
export const NOTHING_HELD = { stock: '10 + 0', couponUses: 0 };
export const TWO_RESERVED = { stock: '8 + 2', couponUses: 1 };
export const TWO_SOLD = { stock: '8 + 0', couponUses: 1 };
