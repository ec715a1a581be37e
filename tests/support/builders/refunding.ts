import { v7 } from 'uuid';
import type { PaymentProvider } from '../../../activities/providers/payments/port';
import { firstRow, rows, type Db } from '../../../db/sql/query';
import type {
  RequestedRefund,
  RefundState,
  RequestRefund,
} from '../../../workflows/commerce/refund/refund-request.contract';
import { make } from './make';
import { noteOf, orderSteps, storedReport } from './ordering';

/** A purchase to be made. */
export interface Bought {
  /** Two units of 25 USD by default. */
  lines?: readonly { priceMinor: number; quantity: number }[];
  /** Discount by a coupon: a share of everything, or an amount. */
  discountBp?: number;
  discountMinor?: number;
  taxBp?: number;
  shippingMinor?: number;
  /** Spent from the partner balance, up to the price of the order. */
  partnerMinor?: number;
  method?: 'CARD' | 'BALANCE';
  provider?: PaymentProvider;
  at?: string;
}

/** A delivered order with its items, made by steps without a process. */
export interface Arrived {
  orderId: string;
  userId: string;
  attemptId: string;
  items: { id: string; quantity: number; stockItemId: string }[];
  totalMinor: number;
  partnerMinor: number;
  at: string;
}

/** Units of each product that are in stock before the order. */
export const ON_THE_SHELF = 1_000;

export async function arrived(db: Db, options: Bought = {}): Promise<Arrived> {
  const { lines = [{ priceMinor: 2_500, quantity: 2 }], method = 'CARD', provider, at = now() } = options;
  await make.taxRate(db, 'DE', options.taxBp ?? 0);
  const buyer = await make.buyer(db, {
    kycLevel: 'STANDARD',
    walletMinor: method === 'BALANCE' ? 10_000_000 : 0,
  });
  if (options.partnerMinor) await make.money(db, buyer.id, options.partnerMinor, 'partner_available');
  const goods = await Promise.all(
    lines.map(async ({ priceMinor, quantity }) => {
      const { id: productId } = await make.product(db, { priceMinor, stock: ON_THE_SHELF });
      return { productId, quantity };
    }),
  );
  await make.cart(db, buyer.id, goods);
  const [orderId, attemptId] = [v7(), v7()];
  const steps = orderSteps(db, provider);
  await steps.placeOrder({
    orderId,
    userId: buyer.id,
    attemptId,
    shippingAddressId: buyer.addressId,
    billingAddressId: null,
    shippingMethodId: await make.shippingMethod(db, { baseMinor: options.shippingMinor ?? 500 }),
    paymentMethod: method,
    couponCodes: await couponsFor(db, options),
    usePartnerBalance: (options.partnerMinor ?? 0) > 0,
    noteId: null,
    at,
  });
  await payFor(db, orderId, { attemptId, at, ...(provider && { provider }) });
  await steps.beginProcessing({ orderId, at });
  const quietly = { notifyCustomer: false };
  for (const to of ['SHIPPED', 'DELIVERED'] as const)
    await steps.moveOrder({ ...quietly, orderId, to, noteId: await noteOf(db, buyer.id, null), at });
  return { orderId, userId: buyer.id, attemptId, at, ...(await boughtIn(db, orderId)) };
}

const now = (): string => new Date().toISOString();

async function couponsFor(db: Db, { discountBp, discountMinor }: Bought): Promise<string[]> {
  if (!discountBp && !discountMinor) return [];
  const { code } = await make.coupon(
    db,
    discountBp ? { percentageBp: discountBp } : { amountMinor: discountMinor ?? 1 },
  );
  return [code];
}

/** Reports the payment of what the balances did not cover. */
async function payFor(
  db: Db,
  orderId: string,
  { attemptId, provider, at }: { attemptId: string; provider?: PaymentProvider; at: string },
): Promise<void> {
  const order = await firstRow<{ restMinor: number; status: string }>(
    db,
    `SELECT status, total_minor - partner_balance_minor AS rest_minor FROM orders WHERE id = $1`,
    [orderId],
  );
  if (order!.status !== 'PENDING_PAYMENT') return;
  const reported = { attemptId, amountMinor: order!.restMinor, ...(provider && { provider: provider.code }) };
  const { webhookEventId } = await storedReport(db, 'PAID', reported);
  await orderSteps(db).applyPaymentEvent({ webhookEventId, at });
}

async function boughtIn(
  db: Db,
  orderId: string,
): Promise<Pick<Arrived, 'items' | 'totalMinor' | 'partnerMinor'>> {
  const items = await rows<Arrived['items'][number]>(
    db,
    `SELECT id, quantity, stock_item_id FROM order_items WHERE order_id = $1 ORDER BY position`,
    [orderId],
  );
  const order = await firstRow<{ totalMinor: number; partnerMinor: number }>(
    db,
    `SELECT total_minor, partner_balance_minor AS partner_minor FROM orders WHERE id = $1`,
    [orderId],
  );
  return { items, ...order! };
}

type Requested = RequestedRefund & { refundRequestId: string; orderId: string; userId: string };
type Options = Partial<Pick<RequestRefund, 'itemIds' | 'items'> & { refundRequestId: string; at: string }>;

/** The buyer requests a refund, by the step without a process. */
export async function askBack(
  db: Db,
  { orderId, userId }: Pick<Arrived, 'orderId' | 'userId'>,
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

/** The stored state of a request, of its order and of the money sent back. */
export async function refundBook(db: Db, { refundRequestId, orderId }: Decided) {
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
  JOIN ledger_transfers t ON t.id = e.transfer_id WHERE t.reference = 'refund:' || $1 || ':${account}' AND e.user_id IS NOT NULL), 0)`;

/** The units in stock of each line's product, in the order of the lines. */
export const shelf = async (db: Db, { items }: Arrived): Promise<number[]> =>
  Promise.all(
    items.map(
      async ({ stockItemId }) =>
        (await firstRow<{ n: number }>(db, 'SELECT available AS n FROM stock_items WHERE id = $1', [
          stockItemId,
        ]))!.n,
    ),
  );
