import {
  refundRequestStates,
  type RefundRequestStatus,
} from '../../../workflows/commerce/refund/refund-request.states';
import type {
  RefundShares,
  ReturnClaim,
  ReturnedPart,
} from '../../../workflows/commerce/refund/refund-claim.rules';
import { execute, firstRow, rows, type Tx } from '../../sql/query';

/** A request as its decisions need it. The caller holds the lock of its order, which guards it too. */
export interface KeptRequest {
  id: string;
  orderId: string;
  userId: string;
  status: RefundRequestStatus;
  currency: string;
  requestedMinor: number;
  approvedMinor: number | null;
  /** Of what is asked, what is for no pieces. */
  amountMinor: number;
  /** Of what is asked, the shipping and its tax. */
  shippingMinor: number;
  restock: boolean | null;
  /** The note that the decision came with. */
  decisionId: string | null;
  createdAt: Date;
}

/** A request by its id; null when there is none. */
export function keptRequest(tx: Tx, id: string): Promise<KeptRequest | null> {
  return firstRow<KeptRequest>(
    tx,
    `SELECT id, order_id, user_id, status, currency, requested_minor,
       approved_minor, amount_minor, shipping_minor, restock, decision_id,
       created_at
     FROM refund_requests WHERE id = $1`,
    [id],
  );
}

/** Pieces of a line that are given back, and what they are pieces of. */
export interface KeptPart extends ReturnedPart {
  productId: string;
  stockItemId: string | null;
}

/** What a request is for, in the order's order. */
export function partsOf(tx: Tx, requestId: string): Promise<KeptPart[]> {
  return rows<KeptPart>(
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
  at: string;
}

/** Keeps a new request. That an order has one open at a time is the database's own rule. */
export async function keepRequest(tx: Tx, request: NewRequest): Promise<void> {
  const { id, orderId, userId, reason, description, currency, parts, at } = request;
  await execute(
    tx,
    `INSERT INTO refund_requests
       (id, order_id, user_id, status, reason, description, currency, requested_minor, amount_minor, shipping_minor,
        created_at)
     VALUES ($1, $2, $3, 'PENDING_REVIEW', $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      orderId,
      userId,
      reason,
      description,
      currency,
      request.claimedMinor,
      request.amountMinor,
      request.shippingMinor,
      at,
    ],
  );
  await execute(
    tx,
    `INSERT INTO refund_request_items (refund_request_id, order_item_id, quantity, goods_minor, tax_minor)
     SELECT $1, * FROM unnest($2::uuid[], $3::int[], $4::bigint[], $5::bigint[])`,
    [
      id,
      parts.map(({ itemId }) => itemId),
      parts.map(({ quantity }) => quantity),
      parts.map(({ goodsMinor }) => goodsMinor),
      parts.map(({ taxMinor }) => taxMinor),
    ],
  );
}

/** What was decided on a request, by whom and in which words. */
export interface RefundDecision {
  to: 'APPROVED' | 'REJECTED';
  decisionId: string;
  by: string;
  note: string | null;
  /** Null when it is turned down. */
  approved: { amountMinor: number; restock: boolean; shares: RefundShares } | null;
  at: string;
}

/** Decides on a request that waits for it. */
export async function decideRequest(tx: Tx, id: string, decision: RefundDecision): Promise<void> {
  const { to, decisionId, by, note, approved, at } = decision;
  const decided = await execute(
    tx,
    `UPDATE refund_requests SET status = $2, decision_id = $3, decided_by = $4, decision_note = $5,
       approved_minor = $6, restock = $7, decided_at = $8::timestamptz,
       concluded_at = CASE WHEN $2 = 'REJECTED' THEN $8::timestamptz END,
       goods_back_minor = $9, goods_tax_back_minor = $10, shipping_back_minor = $11, shipping_tax_back_minor = $12
     WHERE id = $1 AND status = 'PENDING_REVIEW'`,
    [
      id,
      to,
      decisionId,
      by,
      note,
      approved?.amountMinor ?? null,
      approved?.restock ?? null,
      at,
      ...sharesIn(approved?.shares),
    ],
  );
  if (decided !== 1) throw new Error(`Refund request ${id} is decided already.`);
}

const sharesIn = (shares: RefundShares | undefined): (number | null)[] =>
  shares
    ? [shares.goodsMinor, shares.goodsTaxMinor, shares.shippingMinor, shares.shippingTaxMinor]
    : [null, null, null, null];

/** The money of an approved request is on its way. */
export async function beginRefund(tx: Tx, id: string): Promise<void> {
  await move(tx, id, 'APPROVED', 'PROCESSING', null);
}

/** All of its money is back, or was given up; what had been given up may be back later. */
export async function endRefund(
  tx: Tx,
  { id, status }: Pick<KeptRequest, 'id' | 'status'>,
  to: 'COMPLETED' | 'FAILED',
  at: string,
): Promise<void> {
  if (!refundRequestStates.canMove(status, to))
    throw new Error(`Refund request ${id} cannot move from ${status} to ${to}.`);
  await move(tx, id, status, to, at);
}

async function move(
  tx: Tx,
  id: string,
  from: RefundRequestStatus,
  to: RefundRequestStatus,
  concludedAt: string | null,
): Promise<void> {
  const moved = await execute(
    tx,
    `UPDATE refund_requests SET status = $3, concluded_at = $4 WHERE id = $1 AND status = $2`,
    [id, from, to, concludedAt],
  );
  if (moved !== 1) throw new Error(`Refund request ${id} is not ${from}.`);
}

/** Whether all of an order's price has come back by requests that are done. */
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
