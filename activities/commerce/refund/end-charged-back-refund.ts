import {
  abandonedRefundsOf,
  endByChargeback,
  type ChargedBackRefund,
} from '../../../db/commerce/chargeback/charged-back-refund.transitions';
import type { Tx } from '../../../db/sql/query';
import { concludeRequest } from './conclude-refund';
import { queueChargebackMail } from './refund-letter';

/**
 * Ends what chargebacks that we lost have paid of a refund that is certainly not sent, tells the buyer, and concludes
 * what it was asked for by. Answers the refund, or the part of it, that has ended; null when none has. The order is locked.
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
  if (refundRequestId !== null) await concludeRequest(tx, { orderId, refundRequestId, tell: true }, at);
  return ended;
}

/** The same for all refunds of a payment that were given up and that certainly no provider sends. */
export async function endAbandonedRefunds(tx: Tx, captureId: string, at: string): Promise<void> {
  for (const refundId of await abandonedRefundsOf(tx, captureId))
    await endChargedBackRefund(tx, refundId, at);
}
