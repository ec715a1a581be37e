import { v7 } from 'uuid';
import { firstRow, type Db } from '../../../db/sql/query';
import type {
  RequestedRefund,
  RefundState,
  RequestRefund,
} from '../../../workflows/commerce/refund/refund-request.contract';
import { given, type OrderChain } from './given';
import type { MadeOrder, OrderOptions } from './given/steps';
import { make } from './make';
import { noteOf, orderSteps } from './ordering';

const now = (): string => new Date().toISOString();

/** An order to give back: without a discount, delivered. */
export const deliveredOrder = (db: Db, options: OrderOptions = {}): OrderChain<MadeOrder> =>
  given(db)
    .order({ discountBp: 0, ...options })
    .paid()
    .shipped()
    .delivered();

type Requested = RequestedRefund & { refundRequestId: string; orderId: string; userId: string };
type Options = Partial<Pick<RequestRefund, 'itemIds' | 'items'> & { refundRequestId: string; at: string }>;

/** The buyer requests a refund, by the step without a process. */
export async function requestRefund(
  db: Db,
  { orderId, userId }: Pick<MadeOrder, 'orderId' | 'userId'>,
  { refundRequestId = v7(), at = now(), itemIds = null, items = null }: Options = {},
): Promise<Requested> {
  const notes = { reasonNoteId: await noteOf(db, userId, 'It does not fit.'), descriptionNoteId: null };
  const requested = await orderSteps(db).requestRefund({
    refundRequestId,
    orderId,
    userId,
    itemIds,
    items,
    ...notes,
    at,
  });
  return { ...requested, refundRequestId, orderId, userId };
}

type Decided = Pick<Requested, 'refundRequestId' | 'orderId'>;

/** An administrator's decision; its note's id identifies it: the same id is the same decision. */
export async function approve(
  db: Db,
  { refundRequestId, orderId }: Decided,
  options: { amountMinor?: number; restock?: boolean; noteId?: string; at?: string } = {},
): Promise<RefundState> {
  const { amountMinor = null, restock = false, at = now() } = options;
  const noteId = options.noteId ?? (await noteOf(db, (await make.admin(db)).id, 'Looks right.'));
  return orderSteps(db).approveRefund({ refundRequestId, orderId, noteId, amountMinor, restock, at });
}

export async function reject(
  db: Db,
  { refundRequestId, orderId }: Decided,
  noteId?: string,
): Promise<RefundState> {
  const kept = noteId ?? (await noteOf(db, (await make.admin(db)).id, 'It was worn.'));
  return orderSteps(db).rejectRefund({ refundRequestId, orderId, noteId: kept, at: now() });
}

/** A refund that an administrator makes of an order; the same note's id is the same command. */
export interface ShopRefund {
  refundRequestId?: string;
  noteId?: string;
  items?: { itemId: string; quantity: number }[];
  amountMinor?: number;
  includeShipping?: boolean;
}

/** An administrator gives money of an order back, by the step without a process. */
export async function refundByShop(
  db: Db,
  { orderId, userId }: Pick<MadeOrder, 'orderId' | 'userId'>,
  choice: ShopRefund,
): Promise<RefundState> {
  const { refundRequestId = v7(), items = null, amountMinor = null, includeShipping = false } = choice;
  const noteId = choice.noteId ?? (await noteOf(db, (await make.admin(db)).id, 'The parcel came late.'));
  const refund = { refundRequestId, orderId, userId, items, amountMinor, includeShipping, noteId };
  return orderSteps(db).refundOrder({ ...refund, at: now() });
}

/** The stored state of a request, of its order and of the money sent back. */
export async function refundState(db: Db, { refundRequestId, orderId }: Decided) {
  const found = await firstRow<
    Record<'request' | 'order' | 'sent', string | null> & Record<'wallet' | 'partner' | 'left', number>
  >(
    db,
    `SELECT (SELECT status FROM refund_requests WHERE id = $1) AS request,
       (SELECT status || ' ' || payment_status FROM orders WHERE id = $2) AS "order",
       (SELECT total_minor - refunded_minor FROM orders WHERE id = $2) AS left,
       (SELECT string_agg(status || ' ' || amount_minor, ', ' ORDER BY id) FROM payment_refunds WHERE refund_request_id = $1) AS sent,
       ${booked('wallet')} AS wallet, ${booked('partner_available')} AS partner`,
    [refundRequestId, orderId],
  );
  return found!;
}

const booked = (
  account: string,
): string => `coalesce((SELECT sum(e.amount_minor)::bigint FROM ledger_entries e
  JOIN ledger_transfers t ON t.id = e.transfer_id WHERE t.kind = 'refund-repayment' AND t.subject_id = $1::text AND t.part = '${account}' AND e.user_id IS NOT NULL), 0)`;

/** The units in stock of each line's product, in the order of the lines. */
export const stockOf = async (db: Db, { items }: Pick<MadeOrder, 'items'>): Promise<number[]> =>
  Promise.all(
    items.map(
      async ({ stockItemId }) =>
        (await firstRow<{ n: number }>(db, 'SELECT available AS n FROM stock_items WHERE id = $1', [
          stockItemId,
        ]))!.n,
    ),
  );
