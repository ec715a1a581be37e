import type { Attributes } from 'sequelize';
import {
  refundRequestStates,
  type RefundRequestStatus,
} from '../../../workflows/commerce/refund/refund-request.states';
import type {
  RefundShares,
  ReturnClaim,
  ReturnedPart,
} from '../../../workflows/commerce/refund/refund-claim.rules';
import { firstRow, rows, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { RefundRequestItem } from './refund-request-item.model';
import { RefundRequest } from './refund-request.model';

const KEPT = [
  'id',
  'orderId',
  'userId',
  'status',
  'currency',
  'requestedMinor',
  'approvedMinor',
  'amountMinor',
  'shippingMinor',
  'restock',
  'decisionId',
  'createdAt',
] as const;

/** A request as its decisions read it. The caller holds the lock of its order, which guards it too. */
export type StoredRequest = Pick<Attributes<RefundRequest>, (typeof KEPT)[number]>;

/** A request by its id; null when there is none. */
export const storedRequest = (tx: Tx, id: string): Promise<StoredRequest | null> =>
  table(tx, RefundRequest).one(KEPT, { id });

/** Units of a line that are given back, with the goods that they are of. */
export interface StoredPart extends ReturnedPart {
  productId: string;
  stockItemId: string | null;
}

/** The lines of a request, in the sequence of the order's lines. */
export function partsOf(tx: Tx, requestId: string): Promise<StoredPart[]> {
  return rows<StoredPart>(
    tx,
    `SELECT r.order_item_id AS item_id, r.quantity, r.goods_minor, r.tax_minor,
       i.product_id, i.stock_item_id
     FROM refund_request_items r JOIN order_items i ON i.id = r.order_item_id
     WHERE r.refund_request_id = $1 ORDER BY i.position`,
    [requestId],
  );
}

interface NewRequest extends ReturnClaim {
  id: string;
  orderId: string;
  userId: string;
  reason: string;
  description: string | null;
  currency: string;
  /** True for a refund that an administrator begins. */
  byShop: boolean;
  at: string;
}

/** Stores a new request. The database allows an order one open request of its buyer at a time. */
export async function storeRequest(tx: Tx, request: NewRequest): Promise<void> {
  const { id, parts, claimedMinor: requestedMinor, at, ...kept } = request;
  const { orderId, userId, byShop, reason, description, currency, amountMinor, shippingMinor } = kept;
  await table(tx, RefundRequest).insert({
    id,
    orderId,
    userId,
    status: 'PENDING_REVIEW',
    byShop,
    reason,
    description,
    currency,
    requestedMinor,
    amountMinor,
    shippingMinor,
    createdAt: new Date(at),
  });
  await table(tx, RefundRequestItem).insertAll(
    parts.map(({ itemId: orderItemId, quantity, goodsMinor, taxMinor }) => ({
      refundRequestId: id,
      orderItemId,
      quantity,
      goodsMinor,
      taxMinor,
    })),
  );
}

/** A decision on a request; `note`: the administrator's own words; `by`: null for a provider, which has sent the money already. */
export interface RefundDecision {
  to: 'APPROVED' | 'REJECTED';
  decisionId: string;
  by: string | null;
  note: string | null;
  /** Null when it is turned down. */
  approved: { amountMinor: number; restock: boolean; shares: RefundShares } | null;
  at: string;
}

/** Decides on a request that waits for it. */
export async function decideRequest(tx: Tx, id: string, decision: RefundDecision): Promise<void> {
  const { to, decisionId, by, note, approved, at } = decision;
  const decidedAt = new Date(at);
  const decided = await table(tx, RefundRequest).update(
    {
      status: to,
      decisionId,
      decidedBy: by,
      decisionNote: note,
      approvedMinor: approved?.amountMinor ?? null,
      restock: approved?.restock ?? null,
      decidedAt,
      concludedAt: to === 'REJECTED' ? decidedAt : null,
      goodsBackMinor: approved?.shares.goodsMinor ?? null,
      goodsTaxBackMinor: approved?.shares.goodsTaxMinor ?? null,
      shippingBackMinor: approved?.shares.shippingMinor ?? null,
      shippingTaxBackMinor: approved?.shares.shippingTaxMinor ?? null,
    },
    { id, status: 'PENDING_REVIEW' },
  );
  if (decided !== 1) throw new Error(`Refund request ${id} is decided already.`);
}

/** Moves an approved request on: its money is on its way. */
export async function beginRefund(tx: Tx, id: string): Promise<void> {
  await moveRequest(tx, id, 'APPROVED', 'PROCESSING', null);
}

/** Ends a request: all of its money is back, or was given up. One that failed may complete later. */
export async function endRefund(
  tx: Tx,
  { id, status }: Pick<StoredRequest, 'id' | 'status'>,
  to: 'COMPLETED' | 'FAILED',
  at: string,
): Promise<void> {
  if (!refundRequestStates.canMove(status, to))
    throw new Error(`Refund request ${id} cannot move from ${status} to ${to}.`);
  await moveRequest(tx, id, status, to, at);
}

async function moveRequest(
  tx: Tx,
  id: string,
  from: RefundRequestStatus,
  to: RefundRequestStatus,
  concludedAt: string | null,
): Promise<void> {
  const changes = { status: to, concludedAt: concludedAt === null ? null : new Date(concludedAt) };
  const moved = await table(tx, RefundRequest).update(changes, { id, status: from });
  if (moved !== 1) throw new Error(`Refund request ${id} is not ${from}.`);
}

/** True if all of an order's price has gone back by completed requests. */
export async function allIsBack(tx: Tx, orderId: string): Promise<boolean> {
  const all = await firstRow(
    tx,
    `SELECT 1 FROM orders o WHERE o.id = $1 AND o.total_minor =
       (SELECT coalesce(sum(r.approved_minor), 0) FROM refund_requests r
        WHERE r.order_id = o.id AND r.status = 'COMPLETED')`,
    [orderId],
  );
  return all !== null;
}
