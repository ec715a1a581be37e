import { paidForRequest } from '../../../db/commerce/chargeback/charged-back-refund.transitions';
import { moveOrder, type LockedOrder } from '../../../db/commerce/order/order.transitions';
import {
  allIsBack,
  endRefund,
  storedRequest,
  type StoredRequest,
} from '../../../db/commerce/refund/refund-request.transitions';
import { announceRefund } from '../../../db/administration/domain-event/refund-event.writes';
import type { PaymentRefund } from '../../../db/commerce/refund/refund.transitions';
import type { Tx } from '../../../db/sql/query';
import { orderStates } from '../../../workflows/commerce/order/order.states';
import { requireOrder } from '../order/require-order';
import { queueMoneyMail, queueRefundRequestMail } from './queue-refund-mail';

/** The request that a process or a row names; a missing one is our own mistake. */
export async function requireRequest(tx: Tx, id: string): Promise<StoredRequest> {
  const request = await storedRequest(tx, id);
  if (!request) throw new Error(`There is no refund request ${id}.`);
  return request;
}

/**
 * Completes a request of which all money is back, and announces that, which takes back commissions; the order too, once
 * nothing of its price is left. The order is locked.
 */
export async function completeRequest(tx: Tx, order: LockedOrder, id: string, at: string): Promise<void> {
  await endRefund(tx, await requireRequest(tx, id), 'COMPLETED', at);
  await announceRefund(tx, id, at);
  // Cancelled meanwhile, it stays cancelled.
  if (!orderStates.canMove(order.status, 'REFUNDED') || !(await allIsBack(tx, order.id))) return;
  await moveOrder(tx, order, { to: 'REFUNDED', paymentStatus: 'REFUNDED', note: null, by: null, at });
}

/** Concludes the request of a refund that has been sent, and queues the buyer's mail. */
export async function concludeSentRefund(tx: Tx, refund: PaymentRefund, at: string): Promise<void> {
  const { orderId, refundRequestId, chargebackId, returnedReference } = refund;
  // What had come by a chargeback that was returned gets a mail of its own, in addition to the request's; so does what had come back.
  if (chargebackId !== null || (refundRequestId === null && returnedReference !== null))
    await queueMoneyMail(tx, refund, 'sent');
  // Only orders have requests.
  if (orderId === null || refundRequestId === null) return;
  await concludeRequest(tx, { orderId, refundRequestId, isMailDue: chargebackId === null }, at);
}

/** Concludes a request, of which an amount has reached the buyer, once nothing of it is owed. */
export async function concludeRequest(
  tx: Tx,
  {
    orderId,
    refundRequestId: id,
    isMailDue,
  }: { orderId: string; refundRequestId: string; isMailDue: boolean },
  at: string,
): Promise<void> {
  const { unsentMinor, chargedBackMinor } = await paidForRequest(tx, id);
  if (unsentMinor > 0) return;
  await completeRequest(tx, await requireOrder(tx, orderId), id, at);
  const request = await requireRequest(tx, id);
  const amountMinor = (request.approvedMinor ?? 0) - chargedBackMinor;
  if (isMailDue && amountMinor > 0) await queueRefundRequestMail(tx, request, 'SENT', { amountMinor });
}

/**
 * Fails a request whose refund was given up. Chosen: goods that were given back stay given back, and the amount stays
 * counted and owed, so that it cannot be requested, and sent, a second time; a person settles it by hand.
 */
export async function failRequest(tx: Tx, id: string, amountMinor: number, at: string): Promise<void> {
  const request = await requireRequest(tx, id);
  // What had come by a chargeback that was returned has failed already.
  if (request.status !== 'FAILED') await endRefund(tx, request, 'FAILED', at);
  await queueRefundRequestMail(tx, await requireRequest(tx, id), 'FAILED', { amountMinor });
}
