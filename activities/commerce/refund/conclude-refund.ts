import { paidForRequest } from '../../../db/commerce/chargeback/charged-back-refund.transitions';
import { moveOrder, type LockedOrder } from '../../../db/commerce/order/order.transitions';
import {
  allIsBack,
  endRefund,
  keptRequest,
  type KeptRequest,
} from '../../../db/commerce/refund/refund-request.transitions';
import type { PaymentRefund } from '../../../db/commerce/refund/refund.transitions';
import type { Tx } from '../../../db/sql/query';
import { orderStates } from '../../../workflows/commerce/order/order.states';
import { requireOrder } from '../order/require-order';
import { tellBuyer, queueMoneySentMail } from './refund-letter';

/** A request that a process or a row speaks of; none is our own mistake. */
export async function requireRequest(tx: Tx, id: string): Promise<KeptRequest> {
  const request = await keptRequest(tx, id);
  if (!request) throw new Error(`There is no refund request ${id}.`);
  return request;
}

/** All of an approved request is back: the order too, once nothing of its price is left. The order is locked. */
export async function completeRequest(tx: Tx, order: LockedOrder, id: string, at: string): Promise<void> {
  await endRefund(tx, await requireRequest(tx, id), 'COMPLETED', at);
  // Cancelled meanwhile, it stays cancelled.
  if (!orderStates.canMove(order.status, 'REFUNDED') || !(await allIsBack(tx, order.id))) return;
  await moveOrder(tx, order, { to: 'REFUNDED', paymentStatus: 'REFUNDED', note: null, by: null, at });
}

/** A refund has been sent: what it was asked for by is concluded, and its buyer told. */
export async function refundIsSent(tx: Tx, refund: PaymentRefund, at: string): Promise<void> {
  const { orderId, refundRequestId, chargebackId } = refund;
  // What had come by a chargeback that was returned gets a mail of its own, beside what was told of the request.
  if (chargebackId !== null) await queueMoneySentMail(tx, refund);
  if (refundRequestId === null) return;
  await concludeRequest(tx, { orderId, refundRequestId, tell: chargebackId === null }, at);
}

/** A sum that was asked for by a request has reached the buyer; the request is done once nothing of it is owed. */
export async function concludeRequest(
  tx: Tx,
  { orderId, refundRequestId: id, tell }: { orderId: string; refundRequestId: string; tell: boolean },
  at: string,
): Promise<void> {
  const { unsentMinor, chargedBackMinor } = await paidForRequest(tx, id);
  if (unsentMinor > 0) return;
  await completeRequest(tx, await requireOrder(tx, orderId), id, at);
  const request = await requireRequest(tx, id);
  const amountMinor = (request.approvedMinor ?? 0) - chargedBackMinor;
  if (tell && amountMinor > 0) await tellBuyer(tx, request, 'SENT', { amountMinor });
}

/**
 * What a provider was to send for a request was given up. Chosen: what the buyer gave back stays given back, and the
 * amount stays counted and owed, so that it cannot be asked for, and sent, a second time; a person settles it by hand.
 */
export async function requestHasFailed(tx: Tx, id: string, amountMinor: number, at: string): Promise<void> {
  const request = await requireRequest(tx, id);
  // What had come by a chargeback that was returned has failed already.
  if (request.status !== 'FAILED') await endRefund(tx, request, 'FAILED', at);
  await tellBuyer(tx, await requireRequest(tx, id), 'FAILED', { amountMinor });
}
