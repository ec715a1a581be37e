import { recordAudit } from '../../../db/administration/audit/audit.writes';
import type { RequestNote } from '../../../db/administration/idempotency/request-note.writes';
import type { LockedOrder } from '../../../db/commerce/order/order.transitions';
import { openRefundOf } from '../../../db/commerce/refund/sending/schedule-refund.transitions';
import type { StoredRequest } from '../../../db/commerce/refund/refund-request.transitions';
import type { Tx } from '../../../db/sql/query';
import { orderStates } from '../../../workflows/commerce/order/order.states';
import type { RefundState } from '../../../workflows/commerce/refund/refund-request.contract';
import { refusal } from '../../../workflows/errors';
import { requireOrder } from '../order/require-order';
import { labelled } from '../payment/label-refunds';
import { requireRequest } from './conclude-request';

/** The state of a request, with its money that is on its way. Locks its order. */
export async function refundStateOf(tx: Tx, id: string): Promise<RefundState> {
  const { status, orderId } = await requireRequest(tx, id);
  const { status: orderStatus } = await requireOrder(tx, orderId);
  const due = await openRefundOf(tx, id);
  return {
    status,
    orderStatus,
    refundsDue: due === null ? [] : await labelled(tx, [{ refundId: due, orderId }]),
  };
}

/** Refuses NOT_PENDING unless the request waits for a decision. */
export function requirePending({ status }: StoredRequest): void {
  if (status !== 'PENDING_REVIEW') throw refusal('NOT_PENDING', `This refund request is already ${status}.`);
}

/** Refuses as `requirePending` does, and unless its order may still be refunded; one of an order of which all is back can only be rejected. */
export function requireApprovable(request: StoredRequest, order: LockedOrder): void {
  requirePending(request);
  if (!orderStates.canMove(order.status, 'REFUNDED'))
    throw refusal('NOT_PENDING', `This order is ${order.status} and cannot be refunded.`);
}

/** Records the decision on a request that waited for it. */
export async function auditDecision(
  tx: Tx,
  { id, requestedMinor, currency }: StoredRequest,
  { actorId, clientAddress }: RequestNote,
  { action, next, at }: { action: 'refund.approve' | 'refund.reject'; next: object; at: string },
): Promise<void> {
  await recordAudit(tx, {
    actorId,
    action,
    entityId: id,
    previous: { status: 'PENDING_REVIEW', requestedMinor, currency },
    next,
    clientAddress,
    at: new Date(at),
  });
}
