import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { readNote, type RequestNote } from '../../../db/administration/idempotency/request-note.writes';
import type { LockedOrder } from '../../../db/commerce/order/order.transitions';
import { returnableOf, type Returnable } from '../../../db/commerce/refund/refund-request.reads';
import { storeRequest, storedRequest, partsOf } from '../../../db/commerce/refund/refund-request.transitions';
import type { Tx } from '../../../db/sql/query';
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
import type { DbDeps } from '../../steps';
import { carryOutApproval, mostRefundable, refundableOf } from './carry-out-approval';
import { requireRequest } from './conclude-request';
import { refundStateOf } from './refund-decision';

type RefundOrderCommand = Parameters<RefundRequestActivities['refundOrder']>[0];

/**
 * Gives money of a paid order back on an administrator's decision: a request that is approved at once. The same command
 * again only returns its state. Money may go back while a request of the buyer is open, but not the units in it. Refused: CANNOT_REFUND, REFUND_ALREADY_REQUESTED, VALIDATION_ERROR.
 */
export const refundOrder = ({ db }: DbDeps, refund: RefundOrderCommand): Promise<RefundState> =>
  inTransaction(db, (tx) => refundOrderIn(tx, refund));

async function refundOrderIn(tx: Tx, refund: RefundOrderCommand): Promise<RefundState> {
  const { refundRequestId: id, orderId, userId, noteId, at } = refund;
  const order = await requireOrder(tx, orderId);
  if (await storedRequest(tx, id)) return refundStateOf(tx, id);
  if (order.paidAt === null || !orderStates.canMove(order.status, 'REFUNDED'))
    throw refusal('CANNOT_REFUND', `This order is ${order.status} and cannot be refunded.`);
  const claim = claimOf({ ...order, ...(await returnableOf(tx, orderId)) }, refund);
  const refundable = await refundableOf(tx, order);
  requireLeft(refund, claim, mostRefundable(refundable, claim), order.currency);
  const note = await readNote(tx, noteId);
  const { currency } = order;
  const [reason, description] = [note.text ?? '', null];
  const kept = { id, orderId, userId, byShop: true, reason, description, currency, at };
  await storeRequest(tx, { ...claim, ...kept });
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

function claimOf(
  order: ReturnableOrder & Pick<Returnable, 'lines'>,
  { items, amountMinor, includeShipping }: RefundOrderCommand,
): ReturnClaim {
  const wanted = items === null ? new Map<string, number>() : unrequestedUnits(order, items);
  const { shippingMinor, shippingTaxMinor } = saleLeft(order);
  if (includeShipping && shippingMinor + shippingTaxMinor === 0)
    throw businessRefusal('SHIPPING_NOT_REFUNDABLE', 'No shipping costs of this order are left to refund.', {
      includeShipping: ['must be false'],
    });
  return claimByAdministrator(order, { wanted, amountMinor: amountMinor ?? 0, includeShipping });
}

/** The units to refund, of which none may be in the buyer's open request, since a decision on that may refund them too. */
function unrequestedUnits(
  { lines }: Pick<Returnable, 'lines'>,
  items: NonNullable<RefundOrderCommand['items']>,
): Map<string, number> {
  const unrefunded = lines.map((line) => ({ ...line, returned: line.returned - line.requested }));
  const wanted = wantedUnits({ itemIds: null, items }, unrefunded);
  if (lines.some(({ itemId, quantity, returned }) => (wanted.get(itemId) ?? 0) > quantity - returned))
    throw refusal(
      'REFUND_ALREADY_REQUESTED',
      'The buyer has asked for some of these items. Decide on that request first.',
    );
  return wanted;
}

function requireLeft(
  { items, amountMinor }: RefundOrderCommand,
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
  { refundRequestId, orderId, items, amountMinor, includeShipping, at }: RefundOrderCommand,
  { actorId, clientAddress, text }: RequestNote,
  next: object,
): Promise<void> {
  await recordAudit(tx, {
    actorId,
    action: 'order.refund',
    entityId: orderId,
    previous: { status, paymentStatus, refundedMinor, currency },
    next: { ...next, refundRequestId, items, amountMinor, includeShipping, reason: text },
    clientAddress,
    at: new Date(at),
  });
}
