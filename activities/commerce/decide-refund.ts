import { recordAudit } from '../../db/administration/audit.writes';
import { readNote, type RequestNote } from '../../db/administration/request-note.writes';
import { countSales } from '../../db/catalog/sales.transitions';
import { restock } from '../../db/catalog/stock.transitions';
import {
  appliedCapture,
  countRefunded,
  openRefundOf,
  scheduleRefund,
  type AppliedCapture,
} from '../../db/commerce/capture.transitions';
import { repayPart, unbookPart } from '../../db/commerce/order-ledger.transitions';
import type { LockedOrder } from '../../db/commerce/order.transitions';
import {
  beginRefund,
  decideRequest,
  partsOf,
  type KeptRequest,
} from '../../db/commerce/refund-request.transitions';
import type { Tx } from '../../db/sql';
import { orderStates } from '../../workflows/commerce/order.states';
import type {
  RefundRequestActivities,
  RefundStanding,
} from '../../workflows/commerce/refund-request.contract';
import { moneyLeft, type MoneyLeft } from '../../workflows/commerce/refund.rules';
import { refusal } from '../../workflows/errors';
import { bookedShares, completeRequest, requireRequest } from './conclude-refund';
import { requireOrder } from './place-order';
import { inWords, tellBuyer } from './refund-letter';

type Approval = Parameters<RefundRequestActivities['approveRefund']>[0];
type Rejection = Parameters<RefundRequestActivities['rejectRefund']>[0];

/**
 * Approves a request in the caller's transaction, with all that it means: the sale is taken back, the goods go on the
 * shelf if wished, what came from balances is there at once and what a provider brought is scheduled. The same
 * approval again only answers how the request stands.
 */
export async function approveRefundIn(tx: Tx, approval: Approval): Promise<RefundStanding> {
  const { refundRequestId: id, orderId, noteId, at } = approval;
  const order = await requireOrder(tx, orderId);
  const request = await requireRequest(tx, id);
  if (request.decisionId === noteId) return standingOf(tx, id);
  requirePending(request, order);

  const capture = await appliedCapture(tx, orderId);
  const left = moneyLeft(order, capture);
  const amountMinor = approval.amountMinor ?? request.requestedMinor;
  requireWithin(request, left, amountMinor);
  const note = await readNote(tx, noteId);
  const approved = { amountMinor, restock: approval.restock };
  await decideRequest(tx, id, {
    to: 'APPROVED',
    decisionId: noteId,
    by: note.actorId,
    note: note.text,
    approved,
    at,
  });
  await countRefunded(tx, orderId, amountMinor, at);
  await unbookPart(tx, request, await bookedShares(tx, request, order, amountMinor), at);
  await takeGoodsBack(tx, order, id, approval);
  await beginRefund(tx, id);
  const isSent = await sendMoney(tx, request, capture, { amountMinor, left, at });
  if (!isSent) await completeRequest(tx, order, id, at);
  await tellBuyer(tx, request, isSent ? 'APPROVED' : 'REPAID', { amountMinor });
  const standing = await standingOf(tx, id);
  await auditDecision(tx, request, note, {
    action: 'refund.approve',
    next: { status: standing.status, approvedMinor: amountMinor, restock: approval.restock, note: note.text },
    at,
  });
  return standing;
}

/** Turns a request down in the caller's transaction. The same rejection again only answers how the request stands. */
export async function rejectRefundIn(tx: Tx, rejection: Rejection): Promise<RefundStanding> {
  const { refundRequestId: id, orderId, noteId, at } = rejection;
  const order = await requireOrder(tx, orderId);
  const request = await requireRequest(tx, id);
  if (request.decisionId === noteId) return standingOf(tx, id);
  requirePending(request, order);
  const note = await readNote(tx, noteId);
  await decideRequest(tx, id, {
    to: 'REJECTED',
    decisionId: noteId,
    by: note.actorId,
    note: note.text,
    approved: null,
    at,
  });
  await tellBuyer(tx, request, 'REJECTED', { amountMinor: request.requestedMinor, reason: note.text });
  const standing = await standingOf(tx, id);
  await auditDecision(tx, request, note, {
    action: 'refund.reject',
    next: { status: standing.status, reason: note.text },
    at,
  });
  return standing;
}

/** How a request stands, with its money that is on its way. */
export async function standingOf(tx: Tx, id: string): Promise<RefundStanding> {
  const { status, orderId } = await requireRequest(tx, id);
  const { status: orderStatus } = await requireOrder(tx, orderId);
  const due = await openRefundOf(tx, id);
  return { status, orderStatus, refundsDue: due === null ? [] : [{ refundId: due, orderId }] };
}

function requirePending({ status }: KeptRequest, order: LockedOrder): void {
  if (status !== 'PENDING_REVIEW') throw refusal('NOT_PENDING', `This request is ${status}.`);
  if (!orderStates.canMove(order.status, 'REFUNDED'))
    throw refusal('NOT_PENDING', `The order of this request is ${order.status}.`);
}

function requireWithin(
  { requestedMinor, currency }: KeptRequest,
  { methodMinor, partnerMinor }: MoneyLeft,
  amountMinor: number,
): void {
  const most = Math.min(requestedMinor, methodMinor + partnerMinor);
  if (amountMinor >= 1 && amountMinor <= most) return;
  const why = most < requestedMinor ? 'is left of what was paid' : 'was asked for';
  throw refusal('VALIDATION_ERROR', `${inWords(most, currency)} ${why}.`, {
    amount: [`must be at most ${inWords(most, currency)}, which ${why}`],
  });
}

/** Sold they are no longer, whatever becomes of them; back on the shelf only if an administrator says so. */
async function takeGoodsBack(
  tx: Tx,
  order: LockedOrder,
  id: string,
  { restock: toShelf, at }: Approval,
): Promise<void> {
  const parts = await partsOf(tx, id);
  const stock = parts.flatMap(({ stockItemId, quantity }) =>
    stockItemId === null ? [] : [{ stockItemId, quantity }],
  );
  if (toShelf) await restock(tx, stock, `refund:${id}`, at);
  await countSales(tx, parts, order.paidAt ?? at, -1);
}

/** Sends an amount to where it came from; answers whether a provider has to send any of it. */
async function sendMoney(
  tx: Tx,
  request: KeptRequest,
  capture: AppliedCapture | null,
  { amountMinor, left, at }: { amountMinor: number; left: MoneyLeft; at: string },
): Promise<boolean> {
  const methodMinor = Math.min(amountMinor, left.methodMinor);
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

async function auditDecision(
  tx: Tx,
  { id, requestedMinor, currency }: KeptRequest,
  { actorId, clientAddress }: RequestNote,
  { action, next, at }: { action: string; next: object; at: string },
): Promise<void> {
  await recordAudit(tx, {
    actorId,
    action,
    entityType: 'refund',
    entityId: id,
    previous: { status: 'PENDING_REVIEW', requestedMinor, currency },
    next,
    clientAddress,
    at: new Date(at),
  });
}
