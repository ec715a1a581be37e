import { v7 } from 'uuid';
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
import { idOf, idsOf, kindOf, type PayableIds } from '../../../workflows/commerce/payable/payable.rules';
import type { PaymentReport } from '../../../workflows/commerce/payment/payment-report.rules';
import { lockPayable } from '../payable/lock-payable';
import type { Payable } from '../payable/payable';
import { returnStrayCapture } from '../payable/return-capture';

export type ReportEffect =
  /** Nothing changed: the report is a repeat, or came too late. */
  | { outcome: 'WITHOUT_EFFECT' }
  /** The money paid what it was for, or the attempt moved on. */
  | { outcome: 'APPLIED' }
  /** The money paid nothing: it is booked and goes back by this refund. */
  | { outcome: 'RETURNED'; refundId: string }
  /** Another payment is recorded under the same id; a person has to look at it. */
  | { outcome: 'IMPOSSIBLE'; why: string };

/** The time at which a report is applied, and whether all attempts to pay the same have just been looked up. */
export interface ReportOccasion {
  at: string;
  allAsked: boolean;
}

/**
 * Applies a provider's report to an attempt, in the caller's transaction and under the lock of what it pays for. Money is
 * accepted whenever it is what the attempt asks for and is still waited for; any other money is recorded and scheduled to
 * go back. The end of the last attempt gives up what it was for only where no other attempt may hold money that is not
 * known yet.
 * Chosen: in a report without money, the amount is not looked at.
 */
export async function applyReport(
  tx: Tx,
  { id, ...of }: PaymentAttempt,
  report: PaymentReport,
  occasion: ReportOccasion,
): Promise<ReportEffect> {
  const payable = await lockPayable(tx, of);
  // Read under the lock: the attempt may have moved while we waited for it.
  const attempt = await attemptById(tx, id);
  if (!attempt) throw new Error(`There is no attempt ${id}.`);
  if (report.status === 'PAID') return acceptMoney(tx, payable, attempt, report, occasion);
  // Another card can be tried there: what has no other attempt waits for that.
  if (report.pageStaysOpen && payable.hasOneAttempt) return { outcome: 'WITHOUT_EFFECT' };
  return endAttempt(tx, payable, attempt, report.status, occasion);
}

async function endAttempt(
  tx: Tx,
  payable: Payable,
  attempt: PaymentAttempt,
  status: 'DECLINED' | 'EXPIRED',
  { at, allAsked }: ReportOccasion,
): Promise<ReportEffect> {
  if (!(await moveAttempt(tx, attempt, status, at))) return { outcome: 'WITHOUT_EFFECT' };
  const [latest, ...earlier] = await attemptsOf(tx, payable.ref);
  if (!payable.awaitsPayment || latest?.id !== attempt.id) return { outcome: 'APPLIED' };
  // An earlier attempt, such as a transfer, may have a later deadline: then it goes on waiting for that.
  const isLast = status === 'EXPIRED' ? attempt.expiresAt >= payable.payBy : payable.hasOneAttempt === true;
  // Providers report a page that we close ourselves as expired: that may come before the answers of the others.
  if (isLast && (allAsked || !earlier.some(mayHoldMoney))) await payable.expire(at);
  else await payable.markFailed(at);
  return { outcome: 'APPLIED' };
}

async function acceptMoney(
  tx: Tx,
  payable: Payable,
  attempt: PaymentAttempt,
  { paymentId, amountMinor, currency }: PaymentReport,
  occasion: ReportOccasion,
): Promise<ReportEffect> {
  const { at } = occasion;
  const { provider } = attempt;
  const fits = amountMinor === attempt.amountMinor && currency === attempt.currency;
  const applied = fits && payable.awaitsPayment;
  const money = { ...idsOf(attempt), provider, providerPaymentId: paymentId, amountMinor, currency };
  const capture = { id: v7(), attemptId: attempt.id, ...money, applied };
  if (!(await recordCapture(tx, capture, at))) return compareWithRecorded(tx, capture);
  if (applied) {
    await moveAttempt(tx, attempt, 'PAID', at);
    await closeAttempts(tx, payable.ref, 'CANCELLED', at);
    await payable.settle({ method: attempt.method, provider, by: null, at });
    return { outcome: 'APPLIED' };
  }
  const refundId = await returnStrayCapture(tx, payable, capture, at);
  // The page cannot be used again: the buyer is shown that another attempt is required.
  if (!fits) await endAttempt(tx, payable, attempt, 'DECLINED', occasion);
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
  ...owner
}: Pick<Capture, 'amountMinor' | 'currency' | keyof PayableIds>): string =>
  `${amountMinor} ${currency} in minor units for ${kindOf(owner)} ${idOf(owner)}`;
