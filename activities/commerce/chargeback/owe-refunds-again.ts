import {
  chargedBackRefunds,
  countRefundsChargedBack,
  noLongerCoveredMinor,
  reopenChargedBackRefund,
  splitRefund,
  type ChargedBackRefund,
} from '../../../db/commerce/chargeback/charged-back-refund.transitions';
import type { RefundOwed } from '../../../db/administration/domain-event/domain-event.writes';
import { announcedMinor } from '../../../db/administration/domain-event/refund-event.writes';
import {
  bookRefundChargedBack,
  bookRefundOwedAgain,
} from '../../../db/commerce/chargeback/chargeback-ledger.transitions';
import { reopenRefundedPayment } from '../../../db/commerce/refund/sending/schedule-refund.transitions';
import type { Tx } from '../../../db/sql/query';

/**
 * Owes again what a returned chargeback had paid of refunds, so that it is sent. What was paid for is locked, the chargeback
 * RETURNED already and not yet taken off the capture. Returns the requests that the money belongs to, and the parts of it
 * that are of refunds which were announced.
 */
export async function oweRefundsAgain(
  tx: Tx,
  { captureId, chargebackId }: { captureId: string; chargebackId: string },
  at: string,
): Promise<{ requestIds: string[]; announced: RefundOwed[] }> {
  let leftMinor = await noLongerCoveredMinor(tx, captureId);
  if (leftMinor <= 0) return { requestIds: [], announced: [] };
  const ended = await chargedBackRefunds(tx, captureId, chargebackId);
  const requests = new Set<string>();
  const announced: RefundOwed[] = [];
  for (const refund of ended) {
    if (leftMinor === 0) break;
    const owedMinor = Math.min(leftMinor, refund.amountMinor);
    await oweRefundAgain(tx, refund, { owedMinor, chargebackId, captureId }, at);
    const amountMinor = await announcedMinor(tx, refund.id);
    if (amountMinor > 0) announced.push({ refundRequestId: refund.refundRequestId, amountMinor });
    if (refund.refundRequestId !== null) requests.add(refund.refundRequestId);
    leftMinor -= owedMinor;
  }
  if (leftMinor !== 0)
    throw new Error(`Of capture ${captureId}, ${leftMinor} more were charged back than its refunds.`);
  return { requestIds: [...requests], announced };
}

/** Splits off and books again what stays paid by a chargeback, so that each refund is booked by its own amount. */
async function oweRefundAgain(
  tx: Tx,
  refund: ChargedBackRefund & { chargebackId: string },
  { owedMinor, chargebackId, captureId }: { owedMinor: number; chargebackId: string; captureId: string },
  at: string,
): Promise<void> {
  const { id, currency, amountMinor, chargebackId: paidBy } = refund;
  await bookRefundOwedAgain(tx, { id, chargebackId, currency, amountMinor }, at);
  const paidMinor = amountMinor - owedMinor;
  if (paidMinor > 0) {
    const paid = { id: await splitRefund(tx, id, paidMinor), chargebackId: paidBy, currency };
    await bookRefundChargedBack(tx, { ...paid, amountMinor: paidMinor }, at);
  }
  await reopenChargedBackRefund(tx, id);
  await countRefundsChargedBack(tx, captureId, -owedMinor);
  await reopenRefundedPayment(tx, refund, at);
}
