import { policyFrom } from '../../../db/policy/config';
import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { bankTransferActivities } from '../../../activities/commerce/payment/bank-transfer.activities';
import { checkoutActivities } from '../../../activities/commerce/checkout/checkout.activities';
import { fulfilmentActivities } from '../../../activities/commerce/order/fulfilment.activities';
import { paymentEventActivities } from '../../../activities/commerce/payment/payment-event.activities';
import { paymentLookupActivities } from '../../../activities/commerce/payment/payment-lookup.activities';
import { paymentPageActivities } from '../../../activities/commerce/payment/payment-page.activities';
import { paymentRefundActivities } from '../../../activities/commerce/refund/payment-refund/payment-refund.activities';
import { refundRequestActivities } from '../../../activities/commerce/refund/refund-request.activities';
import { paymentProviders } from '../../../activities/providers/payments';
import { bankProvider } from '../../../activities/providers/payments/bank/bank';
import type { PaymentProvider } from '../../../activities/providers/payments/port';
import { keepNote } from '../../../db/administration/idempotency/request-note.writes';
import { storeWebhookEvent } from '../../../db/commerce/webhook/webhook-event.writes';
import { firstRow, rows, type Db } from '../../../db/sql/query';
import type { PlaceOrder } from '../../../workflows/commerce/order/checkout.contract';
import type { PaymentEventInput } from '../../../workflows/commerce/payment/payment-event.contract';
import {
  paymentReportType,
  type PaymentOutcome,
} from '../../../workflows/commerce/payment/payment-report.rules';
import type { PaymentMethod } from '../../../workflows/commerce/payment/payment.rules';
import { make } from './make';
import { asActivity } from '../servers/run-activity';

/** Two goods of 25 USD, 10 % off by the only use of a coupon, and 5 USD for the parcel. */
export const PRICE_MINOR = 5_000;

/** Stock (available + reserved) and coupon uses after an order of `orderCommand`. */
export const NOTHING_HELD = { stock: '10 + 0', couponUses: 0 };
export const TWO_RESERVED = { stock: '8 + 2', couponUses: 1 };
export const TWO_SOLD = { stock: '8 + 0', couponUses: 1 };

/** An order that is about to be placed, and what it will reserve. */
export interface OrderCommand {
  orderId: string;
  userId: string;
  attemptId: string;
  command: PlaceOrder;
  stockItemId: string;
  couponId: string;
}

interface Options {
  method?: PaymentMethod;
  walletMinor?: number;
  /** The partner balance, which is spent first; null: it is not to be spent. */
  partnerMinor?: number | null;
}

/** A buyer who is about to order two of ten goods. */
export async function orderCommand(
  db: Db,
  { method = 'CARD', walletMinor = 0, partnerMinor = null }: Options = {},
): Promise<OrderCommand> {
  const product = await make.product(db, { stock: 10 });
  const coupon = await make.coupon(db, { usageLimit: 1 });
  const buyer = await make.buyer(db, { walletMinor, kycLevel: 'STANDARD' });
  if (partnerMinor !== null) await make.money(db, buyer.id, partnerMinor, 'partner_available');
  await make.cart(db, buyer.id, [{ productId: product.id, quantity: 2 }]);
  const attemptId = v7();
  const command = {
    attemptId,
    shippingAddressId: buyer.addressId,
    billingAddressId: null,
    shippingMethodId: await make.shippingMethod(db),
    paymentMethod: method,
    couponCodes: [coupon.code],
    usePartnerBalance: partnerMinor !== null,
    noteId: null,
  };
  const held = { stockItemId: product.stockItemId!, couponId: coupon.id };
  return { orderId: v7(), userId: buyer.id, attemptId, command, ...held };
}

/** All activities of an order, as workers have them; `provider` replaces the sandbox. */
export function orderSteps(db: Db, provider?: PaymentProvider, policy = policyFrom({})) {
  const sandbox = { publicUrl: 'http://127.0.0.1', secrets: ['whsec_c2VjcmV0'] as const };
  const payments = {
    providers: provider
      ? new Map([bankProvider(), provider].map((one) => [one.code, one]))
      : paymentProviders({ sandbox }, db),
    current: provider?.code ?? 'sandbox',
    bank: { bankName: 'Bank', accountNumber: 'DE02', bik: 'BIK' },
  };
  return {
    ...checkoutActivities({ db, payments, policy }),
    ...bankTransferActivities({ db }),
    ...fulfilmentActivities({ db, policy }),
    ...paymentEventActivities({ db, policy }),
    lookUpPayments: asActivity(paymentLookupActivities({ db, payments }).lookUpPayments),
    ...paymentPageActivities({ db, payments }),
    ...paymentRefundActivities({ db, payments, policy }),
    ...refundRequestActivities({ db, policy }),
  };
}

/** Stores a note of a user; answers its id. */
export async function noteOf(db: Db, actorId: string, text: string | null): Promise<string> {
  const id = v7();
  await keepNote(db, id, { actorId, clientAddress: '192.0.2.7', text });
  return id;
}

interface Reported {
  provider?: string;
  attemptId: string;
  paymentId?: string;
  amountMinor?: number;
  currency?: string;
}

/** Stores a payment provider's report, as its webhook does. */
export async function storedReport(
  db: Db,
  outcome: PaymentOutcome,
  reported: Reported,
): Promise<PaymentEventInput> {
  const { provider = 'sandbox', attemptId: key, paymentId = v7() } = reported;
  const { amountMinor = PRICE_MINOR, currency = 'USD' } = reported;
  const [id, externalEventId] = [v7(), v7()];
  const type = paymentReportType(outcome);
  const at = new Date();
  const data = { key, paymentId, amountMinor, currency };
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
  const bodyHash = createHash('sha256').update(body).digest('hex');
  await storeWebhookEvent(db, { id, provider, externalEventId, type, body, bodyHash, known: true, at });
  return { provider, externalEventId, webhookEventId: id };
}

/** The state of a stored report. */
export const eventRow = (db: Db, { webhookEventId }: PaymentEventInput) =>
  firstRow<{ status: string; error: string | null; attempts: number }>(
    db,
    `SELECT status, last_error AS error, attempts FROM webhook_events WHERE id = $1`,
    [webhookEventId],
  );

/** The stored state of an order, of its stock, coupon and wallet, and of its refunds. */
export async function orderStep(db: Db, order: OrderCommand) {
  const found = await firstRow<{
    order: string | null;
    stock: string;
    couponUses: number;
    walletMinor: number;
  }>(
    db,
    `SELECT (SELECT status || ' ' || payment_status FROM orders WHERE id = $1) AS "order",
       (SELECT available || ' + ' || reserved FROM stock_items WHERE id = $2) AS stock,
       (SELECT used_count FROM coupons WHERE id = $3) AS coupon_uses,
       coalesce((SELECT balance_minor FROM ledger_balances WHERE user_id = $4 AND account = 'wallet'), 0)
         AS wallet_minor`,
    [order.orderId, order.stockItemId, order.couponId, order.userId],
  );
  const refunds = await rows<{ refund: string }>(
    db,
    `SELECT reason || ' ' || status AS refund FROM payment_refunds WHERE order_id = $1 ORDER BY id`,
    [order.orderId],
  );
  return { ...found!, refunds: refunds.map(({ refund }) => refund) };
}

/** The time of the order and its payment provider; by default now, and the sandbox. */
interface Circumstances {
  at?: string;
  provider?: PaymentProvider;
}

/** An order that was placed by steps without a process. */
export async function placedOrder(
  db: Db,
  options?: Parameters<typeof orderCommand>[1],
  { at = new Date().toISOString(), provider }: Circumstances = {},
): Promise<OrderCommand & { at: string }> {
  const order = await orderCommand(db, options);
  await orderSteps(db, provider).placeOrder({ ...order, ...order.command, at });
  return { ...order, at };
}

/** Such an order, paid by card. */
export async function paidOrder(db: Db, by: Circumstances = {}): Promise<OrderCommand & { at: string }> {
  const order = await placedOrder(db, {}, by);
  const reported = { attemptId: order.attemptId, ...(by.provider && { provider: by.provider.code }) };
  const { webhookEventId } = await storedReport(db, 'PAID', reported);
  await orderSteps(db).applyPaymentEvent({ webhookEventId, at: order.at });
  return order;
}

/** Such an order, paid by card and cancelled: its refund is due. */
export async function orderToRefund(
  db: Db,
  by: Circumstances = {},
): Promise<OrderCommand & { at: string; refundId: string }> {
  const order = await paidOrder(db, by);
  const noteId = await noteOf(db, order.userId, 'Changed my mind.');
  const { refundsDue } = await orderSteps(db).cancelOrder({ orderId: order.orderId, noteId, at: order.at });
  return { ...order, refundId: refundsDue[0]!.refundId };
}
