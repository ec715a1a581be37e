import { announce } from '../../db/administration/domain-event.writes';
import { moveOrder, type LockedOrder } from '../../db/commerce/order.transitions';
import {
  allIsBack,
  endRefund,
  keptRequest,
  partsOf,
  type KeptRequest,
} from '../../db/commerce/refund-request.transitions';
import type { Tx } from '../../db/sql';
import { sharesOf, type RefundShares } from '../../workflows/commerce/refund.rules';
import { requireOrder } from './place-order';
import { tellBuyer } from './refund-letter';

/** A request that a process or a row speaks of; none is our own mistake. */
export async function requireRequest(tx: Tx, id: string): Promise<KeptRequest> {
  const request = await keptRequest(tx, id);
  if (!request) throw new Error(`There is no refund request ${id}.`);
  return request;
}

/** Of which parts of the sale an approved amount is. */
export const bookedShares = async (
  tx: Tx,
  request: KeptRequest,
  { shippingMinor }: LockedOrder,
  amountMinor: number,
): Promise<RefundShares> =>
  sharesOf(
    { parts: await partsOf(tx, request.id), shippingMinor: request.shippingMinor },
    amountMinor,
    shippingMinor,
  );

/**
 * All of an approved request is back: the order too, once nothing of its price is left, and whoever reckons by what
 * was sold hears of it. The order is locked.
 */
export async function completeRequest(tx: Tx, order: LockedOrder, id: string, at: string): Promise<void> {
  const request = await requireRequest(tx, id);
  const { goodsMinor } = await bookedShares(tx, request, order, request.approvedMinor ?? 0);
  await endRefund(tx, id, 'COMPLETED', at);
  const full = await allIsBack(tx, order.id);
  if (full)
    await moveOrder(tx, order, { to: 'REFUNDED', paymentStatus: 'REFUNDED', note: null, by: null, at });
  const { id: orderId, currency } = order;
  await announce(
    tx,
    { type: 'refund.completed', orderId, refundRequestId: id, goodsMinor, currency, full },
    at,
  );
}

/** What a provider was to send for a request has arrived. */
export async function requestIsSent(tx: Tx, orderId: string, id: string, at: string): Promise<void> {
  const order = await requireOrder(tx, orderId);
  await completeRequest(tx, order, id, at);
  const request = await requireRequest(tx, id);
  await tellBuyer(tx, request, 'SENT', { amountMinor: request.approvedMinor ?? 0 });
}

/**
 * What a provider was to send for a request was given up. Chosen: what the buyer gave back stays given back, and the
 * amount stays counted and owed, so that it cannot be asked for, and sent, a second time; a person settles it with them.
 */
export async function requestHasFailed(tx: Tx, id: string, amountMinor: number, at: string): Promise<void> {
  await endRefund(tx, id, 'FAILED', at);
  await tellBuyer(tx, await requireRequest(tx, id), 'FAILED', { amountMinor });
}
