import { captureOf } from '../../../../db/commerce/payment/capture.reads';
import { lockRefund } from '../../../../db/commerce/refund/refund.transitions';
import {
  hasFailed,
  recordFailure,
  reportedRefunds,
} from '../../../../db/commerce/refund/reported/reported-refund.transitions';
import type { Tx } from '../../../../db/sql/query';
import { amountInWords } from '../../../../workflows/commerce/money.rules';
import type { RefundDue } from '../../../../workflows/commerce/order/order.contract';
import { refOf, type PayableRef } from '../../../../workflows/commerce/payable/payable.rules';
import type { RefundReport } from '../../../../workflows/commerce/payment/payment-report.rules';
import { lockPayable } from '../../payable/lock-payable';
import { concludeSentRefund } from '../conclude-request';
import { bookCompletedRefund } from '../payment-refund/complete-refund';
import { recordForeignRefund } from './record-foreign-refund';
import { returnRefund, type Effect, type Reported } from './return-refund';
import { applyToSettled } from './settled-by-name';

/** The effect of a provider's report on a refund. */
export type RefundReportEffect =
  /** It is of a payment that is not recorded (yet). */
  | { outcome: 'UNKNOWN' }
  | {
      outcome: 'APPLIED' | 'WITHOUT_EFFECT';
      ref: PayableRef;
      /** The refund whose process is to look at it; none: nothing changes for it. */
      toWake: RefundDue[];
      /** The words of a decision that a person has to make; null: there is none. */
      toDecide: string | null;
    };

/**
 * Applies what a provider says of a refund after its first answer, in the caller's transaction and under the lock of what was paid
 * for. While the process of a refund is at work it only looks the refund up; what has ended is changed here: sent after it was given
 * up, or not delivered after it was sent. A refund that nobody here has requested is recorded. Reports come late and in any order:
 * a repeat, and an old one, change nothing. A failure is final, so it is recorded also while it changes nothing else.
 */
export async function applyRefundReport(
  tx: Tx,
  provider: string,
  report: RefundReport,
  { again, at }: { again: boolean; at: string },
): Promise<RefundReportEffect> {
  const capture = await captureOf(tx, provider, report.paymentId);
  if (!capture) return { outcome: 'UNKNOWN' };
  const { ref } = await lockPayable(tx, capture);
  const named = { provider, providerRefundId: report.providerRefundId };
  if (report.status === 'FAILED') await recordFailure(tx, { ...named, captureId: capture.id }, at);
  if (report.status === 'COMPLETED' && (await hasFailed(tx, named)))
    return { outcome: 'WITHOUT_EFFECT', ref, toWake: [], toDecide: null };
  const known = await reportedRefunds(tx, capture.id, report);
  if (known.length === 0) {
    const recorded = await recordForeignRefund(tx, { provider, capture, report }, { again, at });
    return {
      ...recorded,
      ref,
      toWake: recorded.refundId === null ? [] : [{ refundId: recorded.refundId, ...ref }],
    };
  }
  const toWake: RefundDue[] = [];
  const words: string[] = [];
  let outcome: Effect['outcome'] = 'WITHOUT_EFFECT';
  for (const refundId of known) {
    const effect = await effectOf(tx, { refund: await lockRefund(tx, refundId), report, again }, at);
    if (effect.outcome === 'APPLIED') outcome = 'APPLIED';
    if (effect.wakes) toWake.push({ refundId, ...ref });
    if (effect.toDecide) words.push(effect.toDecide);
  }
  return { outcome, ref: refOf(capture), toWake, toDecide: words.length > 0 ? words.join(' ') : null };
}

function effectOf(tx: Tx, reported: Reported, at: string): Promise<Effect> {
  const { refund, report } = reported;
  if (refund.status === 'PROCESSING')
    return Promise.resolve({
      outcome: 'WITHOUT_EFFECT',
      ...(report.status === 'PENDING' ? {} : { wakes: true as const }),
    });
  if (refund.settlementReference === report.providerRefundId) return applyToSettled(tx, reported, at);
  switch (report.status) {
    case 'PENDING':
      return Promise.resolve({ outcome: 'WITHOUT_EFFECT' });
    case 'COMPLETED':
      return sentAfterAll(tx, reported, at);
    case 'FAILED':
      return returnRefund(tx, reported, at);
  }
}

/** The provider says that it has sent a refund that has ended here: given up, it is completed; ended otherwise, the money left twice. */
async function sentAfterAll(tx: Tx, { refund, report, again }: Reported, at: string): Promise<Effect> {
  const { id, status, amountMinor, currency, providerRefundId } = refund;
  if (providerRefundId === report.providerRefundId)
    return { outcome: 'WITHOUT_EFFECT', ...(again && { wakes: true as const }) };
  const isWhole = report.amountMinor === amountMinor && report.currency === currency;
  if (status === 'ABANDONED' && isWhole) {
    await concludeSentRefund(tx, await bookCompletedRefund(tx, id, report.providerRefundId, at), at);
    return { outcome: 'APPLIED', wakes: true };
  }
  const sent = `${refund.provider} has sent ${amountInWords(report.amountMinor, report.currency)} as ${report.providerRefundId} for refund ${id}`;
  const toDecide =
    status === 'ABANDONED'
      ? `${sent}, which is of ${amountInWords(amountMinor, currency)} and was given up. Settle it by that reference, or get the money back.`
      : `${sent}, which is ${status} by other money: it left twice. Get it back, then retry this.`;
  return { outcome: 'WITHOUT_EFFECT', toDecide };
}
