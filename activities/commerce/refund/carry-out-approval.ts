import type { RequestNote } from '../../../db/administration/idempotency/request-note.writes';
import { countSales } from '../../../db/catalog/popularity/sales.transitions';
import { restock } from '../../../db/catalog/stock/stock.transitions';
import {
  appliedCapture,
  countRefunded,
  type AppliedCapture,
} from '../../../db/commerce/payment/capture.transitions';
import { scheduleRefund } from '../../../db/commerce/refund/sending/schedule-refund.transitions';
import { repayPart, unbookPart } from '../../../db/commerce/order/order-ledger.transitions';
import { orderAddressee } from '../../../db/commerce/order/order-letter.reads';
import { countUnitsRefunded, countUnitsRestocked } from '../../../db/commerce/order/order-goods.transitions';
import type { LockedOrder } from '../../../db/commerce/order/order.transitions';
import { returnableOf } from '../../../db/commerce/refund/refund-request.reads';
import {
  beginRefund,
  decideRequest,
  type StoredPart,
  type StoredRequest,
} from '../../../db/commerce/refund/refund-request.transitions';
import type { Tx } from '../../../db/sql/query';
import { isCancellable } from '../../../workflows/commerce/order/order.states';
import {
  mostOf,
  saleLeft,
  sharesOf,
  type RefundShares,
  type ReturnClaim,
} from '../../../workflows/commerce/refund/refund-claim.rules';
import { moneyLeft, type MoneyLeft } from '../../../workflows/commerce/refund/refund.rules';
import { businessRefusal } from '../../../workflows/errors';
import { completeRequest } from './conclude-request';
import { queueRefundRequestMail } from './queue-refund-mail';

/** The money and the sale of an order, as far as they can go back. */
export interface Refundable {
  capture: AppliedCapture | null;
  money: MoneyLeft;
  sale: RefundShares;
}

/** Reads what can go back of an order, under its lock. */
export async function refundableOf(tx: Tx, order: LockedOrder): Promise<Refundable> {
  const capture = await appliedCapture(tx, order.id);
  const returnable = { ...order, ...(await returnableOf(tx, order.id)) };
  return { capture, money: moneyLeft(order, capture), sale: saleLeft(returnable) };
}

/** The most that can be approved of a claim. */
export const mostRefundable = ({ money, sale }: Refundable, claim: ReturnClaim): number =>
  Math.min(claim.claimedMinor, money.methodMinor + money.partnerMinor, mostOf(claim, sale));

/** A decision to approve a request: how much of it, and with which note. */
export interface Approval {
  request: StoredRequest;
  parts: readonly StoredPart[];
  claim: ReturnClaim;
  amountMinor: number;
  /** True if the goods are restocked. */
  restock: boolean;
  /** The person who approves it; null: nobody here, since its provider has sent it already. */
  note: Pick<RequestNote, 'text'> & { actorId: string | null };
  noteId: string;
  at: string;
}

/**
 * Approves a request that waits for it, in the caller's transaction: takes the sale back, restocks the
 * goods if the administrator says so, repays balances at once and schedules what a provider brought. At most
 * `mostRefundable`.
 */
export async function carryOutApproval(
  tx: Tx,
  order: LockedOrder,
  refundable: Refundable,
  approval: Approval,
): Promise<void> {
  const { request, claim, amountMinor, note, noteId, at } = approval;
  const shares = sharesOf(claim, amountMinor, refundable.sale);
  await decideRequest(tx, request.id, {
    to: 'APPROVED',
    decisionId: noteId,
    by: note.actorId,
    note: note.text,
    approved: { amountMinor, restock: approval.restock, shares },
    at,
  });
  await countRefunded(tx, order.id, amountMinor, at);
  await unbookPart(tx, request, shares, at);
  await takeGoodsBack(tx, order, approval);
  await beginRefund(tx, request.id);
  const isOnItsWay = await returnMoney(tx, request, refundable, { amountMinor, at });
  if (!isOnItsWay) await completeRequest(tx, order, request.id, at);
  await queueRefundRequestMail(tx, request, isOnItsWay ? 'APPROVED' : 'REPAID', { amountMinor });
}

/**
 * Counts the goods as no longer sold; restocks them only if an administrator says so. An amount that refunds all of an order
 * that has not left takes its remaining goods back too, since nothing is left to ship.
 */
async function takeGoodsBack(
  tx: Tx,
  order: LockedOrder,
  { request, parts, amountMinor, restock: toShelf, at }: Approval,
): Promise<void> {
  const isAll = order.refundedMinor + amountMinor === order.totalMinor && isCancellable(order.status);
  const units = isAll ? null : parts;
  if (toShelf) {
    const cause = { orderId: order.id, refundRequestId: request.id };
    await restock(tx, await countUnitsRestocked(tx, order.id, units), cause, at);
  }
  await countSales(tx, await countUnitsRefunded(tx, order.id, units), order.paidAt ?? at, -1);
}

/** Refuses money for a balance that nobody can reach any more: VALIDATION_ERROR (ACCOUNT_ERASED). */
async function requireReachable(tx: Tx, orderId: string): Promise<void> {
  if (await orderAddressee(tx, orderId)) return;
  throw businessRefusal(
    'ACCOUNT_ERASED',
    "The buyer's account is erased: nobody could reach the money on its balance.",
  );
}

/** Returns an amount to where it came from; returns whether a provider or a person has to send any of it. */
async function returnMoney(
  tx: Tx,
  request: StoredRequest,
  { capture, money }: Refundable,
  { amountMinor, at }: { amountMinor: number; at: string },
): Promise<boolean> {
  const methodMinor = Math.min(amountMinor, money.methodMinor);
  if (!capture || methodMinor < amountMinor) await requireReachable(tx, request.orderId);
  await repayPart(tx, request, 'partner_available', amountMinor - methodMinor, at);
  if (methodMinor === 0) return false;
  if (!capture) {
    await repayPart(tx, request, 'wallet', methodMinor, at);
    return false;
  }
  const { id, currency } = capture;
  const { orderId } = request;
  await scheduleRefund(tx, { id, currency, orderId, amountMinor: methodMinor }, 'REFUND', at, request.id);
  return true;
}
