import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { readNote, type RequestNote } from '../../../db/administration/idempotency/request-note.writes';
import { openRefundOf } from '../../../db/commerce/payment/capture.transitions';
import type { LockedOrder } from '../../../db/commerce/order/order.transitions';
import {
  decideRequest,
  partsOf,
  type KeptRequest,
} from '../../../db/commerce/refund/refund-request.transitions';
import type { Tx } from '../../../db/sql/query';
import { orderStates } from '../../../workflows/commerce/order/order.states';
import type { ReturnClaim } from '../../../workflows/commerce/refund/refund-claim.rules';
import type {
  RefundRequestActivities,
  RefundStanding,
} from '../../../workflows/commerce/refund/refund-request.contract';
import { refusal } from '../../../workflows/errors';
import { carryOutApproval, mostRefundable, refundableOf, type Refundable } from './approve-refund';
import { requireRequest } from './conclude-refund';
import { requireOrder } from '../order/require-order';
import { inWords, tellBuyer } from './refund-letter';

type Approval = Parameters<RefundRequestActivities['approveRefund']>[0];
type Rejection = Parameters<RefundRequestActivities['rejectRefund']>[0];

/** Approves a request in the caller's transaction. The same approval again only answers how the request stands. */
export async function approveRefundIn(tx: Tx, approval: Approval): Promise<RefundStanding> {
  const { refundRequestId: id, orderId, noteId, restock, at } = approval;
  const order = await requireOrder(tx, orderId);
  const request = await requireRequest(tx, id);
  if (request.decisionId === noteId) return standingOf(tx, id);
  requirePending(request, order);

  const parts = await partsOf(tx, id);
  const claim = { ...request, parts, claimedMinor: request.requestedMinor };
  const refundable = await refundableOf(tx, order);
  const amountMinor = approval.amountMinor ?? request.requestedMinor;
  requireWithin(refundable, claim, amountMinor, request.currency);
  const note = await readNote(tx, noteId);
  await carryOutApproval(tx, order, refundable, {
    request,
    parts,
    claim,
    amountMinor,
    restock,
    note,
    noteId,
    at,
  });
  const standing = await standingOf(tx, id);
  await auditDecision(tx, request, note, {
    action: 'refund.approve',
    next: { status: standing.status, approvedMinor: amountMinor, restock, note: note.text },
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
  refundable: Refundable,
  claim: ReturnClaim,
  amountMinor: number,
  currency: string,
): void {
  const most = mostRefundable(refundable, claim);
  if (amountMinor >= 1 && amountMinor <= most) return;
  const why = most < claim.claimedMinor ? 'is left of what was paid' : 'was asked for';
  throw refusal('VALIDATION_ERROR', `${inWords(most, currency)} ${why}.`, {
    amount: [`must be at most ${inWords(most, currency)}, which ${why}`],
  });
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
