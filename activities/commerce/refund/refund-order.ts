import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { readNote, type RequestNote } from '../../../db/administration/idempotency/request-note.writes';
import type { LockedOrder } from '../../../db/commerce/order/order.transitions';
import { hasOpenRequest, returnableOf } from '../../../db/commerce/refund/refund-request.reads';
import { keepRequest, keptRequest, partsOf } from '../../../db/commerce/refund/refund-request.transitions';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { amountInWords } from '../../../workflows/commerce/money.rules';
import { isCancellable, orderStates } from '../../../workflows/commerce/order/order.states';
import {
  claimByAdministrator,
  saleLeft,
  type ReturnableOrder,
  type ReturnClaim,
} from '../../../workflows/commerce/refund/refund-claim.rules';
import type {
  RefundRequestActivities,
  RefundState,
} from '../../../workflows/commerce/refund/refund-request.contract';
import { wantedUnits } from '../../../workflows/commerce/refund/requested-claim';
import { businessRefusal, refusal } from '../../../workflows/errors';
import { requireOrder } from '../order/require-order';
import { carryOutApproval, mostRefundable, refundableOf } from './carry-out-approval';
import { requireRequest } from './conclude-request';
import { refundStateOf } from './refund-decision';

type RefundOrder = Parameters<RefundRequestActivities['refundOrder']>[0];

/**
 * Gives money of a paid order back on an administrator's decision: a request that is approved at once. The same command
 * again only answers its state. Refused: CANNOT_REFUND, REFUND_ALREADY_REQUESTED, VALIDATION_ERROR.
 */
export const refundOrder = (db: Db, refund: RefundOrder): Promise<RefundState> =>
  inTransaction(db, (tx) => refundOrderIn(tx, refund));

async function refundOrderIn(tx: Tx, refund: RefundOrder): Promise<RefundState> {
  const { refundRequestId: id, orderId, userId, noteId, at } = refund;
  const order = await requireOrder(tx, orderId);
  if (await keptRequest(tx, id)) return refundStateOf(tx, id);
  if (order.paidAt === null || !orderStates.canMove(order.status, 'REFUNDED'))
    throw refusal('CANNOT_REFUND', `This order is ${order.status} and cannot be refunded.`);
  if (await hasOpenRequest(tx, orderId))
    throw refusal('REFUND_ALREADY_REQUESTED', 'Another refund of this order is still open.');

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
    // Goods that were not sent are still on the shelf.
    restock: isCancellable(order.status),
    note,
    noteId,
    at,
  });
  const state = await refundStateOf(tx, id);
  await auditRefund(tx, order, refund, note, { status: state.status, approvedMinor: claim.claimedMinor });
  return state;
}

function claimOf(order: ReturnableOrder, { items, amountMinor, includeShipping }: RefundOrder): ReturnClaim {
  const wanted =
    items === null ? new Map<string, number>() : wantedUnits({ itemIds: null, items }, order.lines);
  const { shippingMinor, shippingTaxMinor } = saleLeft(order);
  if (includeShipping && shippingMinor + shippingTaxMinor === 0)
    throw businessRefusal('SHIPPING_NOT_REFUNDABLE', 'No shipping costs of this order are left to refund.', {
      includeShipping: ['must be false'],
    });
  return claimByAdministrator(order, { wanted, amountMinor: amountMinor ?? 0, includeShipping });
}

function requireLeft(
  { items, amountMinor }: RefundOrder,
  { claimedMinor }: ReturnClaim,
  most: number,
  currency: string,
): void {
  if (claimedMinor >= 1 && claimedMinor <= most) return;
  const field = amountMinor !== null ? 'amount' : items !== null ? 'items' : 'includeShipping';
  const limit = amountInWords(most, currency);
  throw businessRefusal('REFUND_EXCEEDS_PAYMENT', `Only ${limit} of this order can still be refunded.`, {
    [field]: [
      claimedMinor === 0
        ? 'has nothing that can be refunded'
        : `is ${amountInWords(claimedMinor, currency)}; at most ${limit} can be refunded`,
    ],
  });
}

async function auditRefund(
  tx: Tx,
  { status, paymentStatus, refundedMinor, currency }: LockedOrder,
  { refundRequestId, orderId, items, amountMinor, includeShipping, at }: RefundOrder,
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
