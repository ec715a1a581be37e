import { readMessage } from '../../../activities/providers/payments/read-message';
import { policyFrom } from '../../../db/policy/config';
import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { bankTransferActivities } from '../../../activities/commerce/payment-event/bank-transfer.activities';
import { checkoutActivities } from '../../../activities/commerce/checkout/checkout.activities';
import { fulfilmentActivities } from '../../../activities/commerce/order/fulfilment.activities';
import { foreignPaymentActivities } from '../../../activities/commerce/payment-event/look-up/foreign-payment.activities';
import { paymentEventActivities } from '../../../activities/commerce/payment-event/payment-event.activities';
import { paymentLookupActivities } from '../../../activities/commerce/payment-event/look-up/payment-lookup.activities';
import { paymentPageActivities } from '../../../activities/commerce/payment-event/payment-page.activities';
import { paymentRefundActivities } from '../../../activities/commerce/refund/payment-refund/payment-refund.activities';
import { refundRequestActivities } from '../../../activities/commerce/refund/refund-request.activities';
import { paymentProviders } from '../../../activities/providers/payments';
import { bankProvider } from '../../../activities/providers/payments/bank/driver';
import type { PaymentProvider } from '../../../activities/providers/payments/port';
import { storeNote } from '../../../db/administration/idempotency/request-note.writes';
import { storeWebhookEvent } from '../../../db/administration/webhook/webhook-event.writes';
import { firstRow, rows, type Db } from '../../../db/sql/query';
import type { PaymentEventInput } from '../../../workflows/commerce/payment-event/payment-event.contract';
import {
  factsOfReport,
  paymentReportType,
  type PaymentOutcome,
} from '../../../workflows/commerce/payment/payment-report.rules';
import type { OrderToPlace } from './given/steps';
import { providersConfigOf } from '../worlds/providers';
import { asActivity } from '../servers/run-activity';

/** Two goods of 25 USD, 10 % off by the only use of a coupon, and 5 USD for the parcel. */
export const PRICE_MINOR = 5_000;

/** Stock (available + reserved) and coupon uses after an order of the usual goods. */
export const NOTHING_HELD = { stock: '10 + 0', couponUses: 0 };
export const TWO_RESERVED = { stock: '8 + 2', couponUses: 1 };
export const TWO_SOLD = { stock: '8 + 0', couponUses: 1 };

/** All activities of an order, as workers have them; `provider` replaces the sandbox, `retired` is a provider that is gone for good. */
export function orderSteps(db: Db, provider?: PaymentProvider, policy = policyFrom({}), retired?: string) {
  const payments = {
    providers: provider
      ? new Map([bankProvider(), provider].map((one) => [one.code, one]))
      : paymentProviders(providersConfigOf({ PUBLIC_URL: 'http://127.0.0.1' }), db),
    current: provider?.code ?? 'sandbox',
    bank: { bankName: 'Bank', accountNumber: 'DE02', bik: 'BIK' },
    accountHolder: 'Shop',
    retired: new Set(retired === undefined ? [] : [retired]),
  };
  return {
    ...checkoutActivities({ db, payments, policy }),
    ...bankTransferActivities({ db }),
    ...fulfilmentActivities({ db, policy }),
    ...paymentEventActivities({ db, policy, readMessage }),
    ...foreignPaymentActivities({ payments }),
    lookUpPayments: asActivity(paymentLookupActivities({ db, payments }).lookUpPayments),
    ...paymentPageActivities({ db, payments }),
    ...paymentRefundActivities({ db, payments, policy }),
    ...refundRequestActivities({ db, policy }),
  };
}

/** Stores a note of a user; answers its id. */
export async function noteOf(db: Db, actorId: string, text: string | null): Promise<string> {
  const id = v7();
  await storeNote(db, id, { actorId, clientAddress: '192.0.2.7', text });
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
  const facts = factsOfReport(type, { data });
  const report = { id, provider, externalEventId, type, ...facts, body, bodyHash };
  await storeWebhookEvent(db, { ...report, known: true, at });
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
export async function orderState(
  db: Db,
  order: Pick<OrderToPlace, 'orderId' | 'userId' | 'stockItemId' | 'couponId'>,
) {
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
