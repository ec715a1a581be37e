import { v7 } from 'uuid';
import { setPaymentStatus, type LockedOrder } from '../../../db/commerce/order/order.transitions';
import { captureOf } from '../../../db/commerce/payment/capture.reads';
import { recordCapture, type Capture } from '../../../db/commerce/payment/capture.transitions';
import {
  attemptById,
  attemptsOf,
  closeAttempts,
  mayHoldMoney,
  moveAttempt,
  type PaymentAttempt,
} from '../../../db/commerce/payment/payment-attempt.transitions';
import type { Tx } from '../../../db/sql/query';
import type { PaymentReport } from '../../../workflows/commerce/payment/payment-report.rules';
import { cancelUnpaidOrder } from '../order/cancel-unpaid-order';
import { requireOrder } from '../order/require-order';
import { returnStrayCapture } from './return-capture';
import { settleOrder } from './settle-order';

export type ReportEffect =
  /** Nothing changed: the report is a repeat, or came too late. */
  | { outcome: 'WITHOUT_EFFECT' }
  /** The money paid its order, or the attempt moved on. */
  | { outcome: 'APPLIED' }
  /** The money paid nothing: it is booked and goes back by this refund. */
  | { outcome: 'RETURNED'; refundId: string }
  /** Another payment is recorded under the same id; a person has to look at it. */
  | { outcome: 'IMPOSSIBLE'; why: string };

/** The time at which a report is applied, and whether all attempts of its order have just been looked up. */
export interface ReportOccasion {
  at: string;
  allAsked: boolean;
}

/**
 * Applies a provider's report to an attempt, in the caller's transaction and under the order's lock. Money is accepted
 * whenever it is what the attempt asks for and the order still waits for it; any other money is recorded and scheduled to
 * go back. The end of its last attempt cancels an order only where no other attempt may hold money that is not known yet.
 * Chosen: in a report without money, the amount is not looked at.
 */
export async function applyReport(
  tx: Tx,
  { id, orderId }: PaymentAttempt,
  report: PaymentReport,
  occasion: ReportOccasion,
): Promise<ReportEffect> {
  const order = await requireOrder(tx, orderId);
  // Read under the lock: the attempt may have moved while we waited for it.
  const attempt = await attemptById(tx, id);
  if (!attempt) throw new Error(`There is no attempt ${id}.`);
  if (report.status === 'PAID') return acceptMoney(tx, order, attempt, report, occasion);
  return endAttempt(tx, order, attempt, report.status, occasion);
}

async function endAttempt(
  tx: Tx,
  order: LockedOrder,
  attempt: PaymentAttempt,
  status: 'DECLINED' | 'EXPIRED',
  { at, allAsked }: ReportOccasion,
): Promise<ReportEffect> {
  if (!(await moveAttempt(tx, attempt, status, at))) return { outcome: 'WITHOUT_EFFECT' };
  const [latest, ...earlier] = await attemptsOf(tx, order.id);
  if (order.status !== 'PENDING_PAYMENT' || latest?.id !== attempt.id) return { outcome: 'APPLIED' };
  // An earlier attempt, such as a transfer, may have a later deadline: then the order goes on waiting for that.
  const isLast = status === 'EXPIRED' && attempt.expiresAt >= order.payBy;
  // Providers report a page that we close ourselves as expired: that may come before the answers of the others.
  if (isLast && (allAsked || !earlier.some(mayHoldMoney)))
    await cancelUnpaidOrder(tx, order, { note: 'payment expired', by: null, at });
  else await setPaymentStatus(tx, order.id, 'FAILED', at);
  return { outcome: 'APPLIED' };
}

async function acceptMoney(
  tx: Tx,
  order: LockedOrder,
  attempt: PaymentAttempt,
  { paymentId, amountMinor, currency }: PaymentReport,
  occasion: ReportOccasion,
): Promise<ReportEffect> {
  const { at } = occasion;
  const { orderId, provider } = attempt;
  const fits = amountMinor === attempt.amountMinor && currency === attempt.currency;
  const applied = fits && order.status === 'PENDING_PAYMENT';
  const money = { orderId, provider, providerPaymentId: paymentId, amountMinor, currency };
  const capture = { id: v7(), attemptId: attempt.id, ...money, applied };
  if (!(await recordCapture(tx, capture, at))) return compareWithRecorded(tx, capture);
  if (applied) {
    await moveAttempt(tx, attempt, 'PAID', at);
    await closeAttempts(tx, orderId, 'CANCELLED', at);
    await settleOrder(tx, order, { method: attempt.method, by: null, at });
    return { outcome: 'APPLIED' };
  }
  const refundId = await returnStrayCapture(tx, order, capture, at);
  // The page cannot be used again: the buyer is shown that another attempt is required.
  if (!fits) await endAttempt(tx, order, attempt, 'DECLINED', occasion);
  return { outcome: 'RETURNED', refundId };
}

/** The effect of a payment that is recorded already: none, unless it was recorded as another. */
async function compareWithRecorded(tx: Tx, reported: Capture): Promise<ReportEffect> {
  const recorded = await captureOf(tx, reported.provider, reported.providerPaymentId);
  const [before, now] = [recorded && inWords(recorded), inWords(reported)];
  if (before === now) return { outcome: 'WITHOUT_EFFECT' };
  const why = `Payment ${reported.providerPaymentId} is recorded as ${before ?? 'nothing'}, and is now reported as ${now}.`;
  return { outcome: 'IMPOSSIBLE', why };
}

const inWords = ({
  amountMinor,
  currency,
  orderId,
}: Pick<Capture, 'amountMinor' | 'currency' | 'orderId'>): string =>
  `${amountMinor} ${currency} in minor units for order ${orderId}`;
