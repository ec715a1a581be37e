import {
  abandonedRefundsOf,
  countRefundsChargedBack,
  coveredRefund,
  endAsChargedBack,
  splitRefund,
  type ChargedBackRefund,
} from '../../../../db/commerce/chargeback/charged-back-refund.transitions';
import { announceChargedBack } from '../../../../db/administration/domain-event/refund-event.writes';
import { bookRefundChargedBack } from '../../../../db/commerce/chargeback/chargeback-ledger.transitions';
import { concludePayment } from '../../../../db/commerce/refund/refund.transitions';
import type { Tx } from '../../../../db/sql/query';
import { idsOf } from '../../../../workflows/commerce/payable/payable.rules';
import { concludeRequest } from '../conclude-request';
import { queueChargebackMail } from '../queue-refund-mail';

/**
 * Ends the part of an unsent refund that lost chargebacks have paid, queues the buyer's mail, and concludes the request
 * that the money belongs to. The rest of the refund keeps its id and state. Returns the refund, or the part split off it,
 * that has ended; null when none has. What was paid for is locked, and it is certain that the provider has not sent the refund.
 */
export async function endChargedBackRefund(
  tx: Tx,
  refundId: string,
  at: string,
): Promise<ChargedBackRefund | null> {
  const ended = await endByChargeback(tx, refundId, at);
  if (!ended) return null;
  await queueChargebackMail(tx, ended);
  const { orderId, refundRequestId } = ended;
  // Only orders have requests.
  if (orderId !== null && refundRequestId !== null)
    await concludeRequest(tx, { orderId, refundRequestId, isMailDue: true }, at);
  return ended;
}

/** Ends, as `endChargedBackRefund` does, all refunds of a payment that were given up and that certainly no provider sends. */
export async function endAbandonedRefunds(tx: Tx, captureId: string, at: string): Promise<void> {
  for (const refundId of await abandonedRefundsOf(tx, captureId))
    await endChargedBackRefund(tx, refundId, at);
}

async function endByChargeback(
  tx: Tx,
  refundId: string,
  at: string,
): Promise<(ChargedBackRefund & { chargebackId: string }) | null> {
  const refund = await coveredRefund(tx, refundId);
  if (!refund || refund.coveredMinor <= 0) return null;
  const { refundRequestId, captureId, chargebackId, coveredMinor, currency } = refund;
  const id = coveredMinor < refund.amountMinor ? await splitRefund(tx, refundId, coveredMinor) : refundId;
  await endAsChargedBack(tx, id, chargebackId, at);
  await countRefundsChargedBack(tx, captureId, coveredMinor);
  await bookRefundChargedBack(tx, { id, chargebackId, currency, amountMinor: coveredMinor }, at);
  // Before the money may complete a refund, which is announced with it.
  await announceChargedBack(tx, { id, orderId: refund.orderId, refundRequestId, currency }, at);
  await concludePayment(tx, refund, at);
  return { id, ...idsOf(refund), refundRequestId, chargebackId, amountMinor: coveredMinor, currency };
}
