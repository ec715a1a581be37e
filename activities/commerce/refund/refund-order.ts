import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { readNote, type RequestNote } from '../../../db/administration/idempotency/request-note.writes';
import type { LockedOrder } from '../../../db/commerce/order/order.transitions';
import { hasOpenRequest, returnableOf } from '../../../db/commerce/refund/refund-request.reads';
import { keepRequest, keptRequest, partsOf } from '../../../db/commerce/refund/refund-request.transitions';
import type { Tx } from '../../../db/sql/query';
import { orderStates } from '../../../workflows/commerce/order/order.states';
import {
  claimByAdministrator,
  saleLeft,
  type ReturnableOrder,
  type ReturnClaim,
} from '../../../workflows/commerce/refund/refund-claim.rules';
import type {
  RefundRequestActivities,
  RefundStanding,
} from '../../../workflows/commerce/refund/refund-request.contract';
import { refusal } from '../../../workflows/errors';
import { carryOutApproval, mostRefundable, refundableOf } from './approve-refund';
import { requireRequest } from './conclude-refund';
import { standingOf } from './decide-refund';
import { requireOrder } from '../order/require-order';
import { inWords } from './refund-letter';
import { wantedOf } from './wanted-pieces';

type Refund = Parameters<RefundRequestActivities['refundOrder']>[0];

/**
 * Gives money of a paid order back because an administrator says so, in the caller's transaction: a request that is
 * approved at once. The same command again only answers how it stands.
 */
export async function refundOrderIn(tx: Tx, refund: Refund): Promise<RefundStanding> {
  const { refundRequestId: id, orderId, userId, noteId, at } = refund;
  const order = await requireOrder(tx, orderId);
  if (await keptRequest(tx, id)) return standingOf(tx, id);
  if (order.paidAt === null || !orderStates.canMove(order.status, 'REFUNDED'))
    throw refusal('CANNOT_REFUND', `Nothing can be given back of this order: it is ${order.status}.`);
  if (await hasOpenRequest(tx, orderId))
    throw refusal('REFUND_ALREADY_REQUESTED', 'Another refund of this order is not concluded yet.');

  const claim = claimOf({ ...order, ...(await returnableOf(tx, orderId)) }, refund);
  const refundable = await refundableOf(tx, order);
  requireLeft(refund, claim, mostRefundable(refundable, claim), order.currency);
  const note = await readNote(tx, noteId);
  const { currency } = order;
  const [reason, description] = [note.text ?? '', null];
  await keepRequest(tx, { ...claim, id, orderId, userId, reason, description, currency, at });
  await carryOutApproval(tx, order, refundable, {
    request: await requireRequest(tx, id),
    parts: await partsOf(tx, id),
    claim,
    amountMinor: claim.claimedMinor,
    // What was not sent is on the shelf still.
    restock: order.status === 'PAID' || order.status === 'PROCESSING',
    note,
    noteId,
    at,
  });
  const standing = await standingOf(tx, id);
  await audit(tx, order, refund, note, { status: standing.status, approvedMinor: claim.claimedMinor });
  return standing;
}

function claimOf(order: ReturnableOrder, { items, amountMinor, includeShipping }: Refund): ReturnClaim {
  const wanted = items === null ? new Map<string, number>() : wantedOf({ itemIds: null, items }, order.lines);
  const { shippingMinor, shippingTaxMinor } = saleLeft(order);
  if (includeShipping && shippingMinor + shippingTaxMinor === 0)
    throw refusal('VALIDATION_ERROR', 'No shipping is left to give back.', {
      includeShipping: ['nothing was paid for shipping, or all of it was given back already'],
    });
  return claimByAdministrator(order, { wanted, amountMinor: amountMinor ?? 0, includeShipping });
}

function requireLeft(
  { items, amountMinor }: Refund,
  { claimedMinor }: ReturnClaim,
  most: number,
  currency: string,
): void {
  if (claimedMinor >= 1 && claimedMinor <= most) return;
  const field = amountMinor !== null ? 'amount' : items !== null ? 'items' : 'includeShipping';
  throw refusal('VALIDATION_ERROR', `${inWords(most, currency)} can be given back.`, {
    [field]: [
      claimedMinor === 0
        ? 'nothing was paid for this'
        : `comes to ${inWords(claimedMinor, currency)}; ${inWords(most, currency)} can be given back of it`,
    ],
  });
}

async function audit(
  tx: Tx,
  { status, paymentStatus, refundedMinor, currency }: LockedOrder,
  { refundRequestId, orderId, items, amountMinor, includeShipping, at }: Refund,
  { actorId, clientAddress, text }: RequestNote,
  next: object,
): Promise<void> {
  await recordAudit(tx, {
    actorId,
    action: 'order.refund',
    entityType: 'order',
    entityId: orderId,
    previous: { status, paymentStatus, refundedMinor, currency },
    next: { ...next, refundRequestId, items, amountMinor, includeShipping, reason: text },
    clientAddress,
    at: new Date(at),
  });
}
