import { moveOrder, type LockedOrder } from '../../db/commerce/order.transitions';
import {
  allIsBack,
  endRefund,
  keptRequest,
  type KeptRequest,
} from '../../db/commerce/refund-request.transitions';
import type { Tx } from '../../db/sql';
import { orderStates } from '../../workflows/commerce/order.states';
import { requireOrder } from './place-order';
import { tellBuyer } from './refund-letter';

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

/** What was to be sent for a request has arrived. */
export async function requestIsSent(tx: Tx, orderId: string, id: string, at: string): Promise<void> {
  const order = await requireOrder(tx, orderId);
  await completeRequest(tx, order, id, at);
  const request = await requireRequest(tx, id);
  await tellBuyer(tx, request, 'SENT', { amountMinor: request.approvedMinor ?? 0 });
}

/**
 * What a provider was to send for a request was given up. Chosen: what the buyer gave back stays given back, and the
 * amount stays counted and owed, so that it cannot be asked for, and sent, a second time; a person settles it by hand.
 */
export async function requestHasFailed(tx: Tx, id: string, amountMinor: number, at: string): Promise<void> {
  await endRefund(tx, await requireRequest(tx, id), 'FAILED', at);
  await tellBuyer(tx, await requireRequest(tx, id), 'FAILED', { amountMinor });
}
