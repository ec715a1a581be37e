import { v7 } from 'uuid';
import {
  announce,
  type DomainEvent,
  type RefundOwed,
} from '../../../../db/administration/domain-event/domain-event.writes';
import { refundedByCategory } from '../../../../db/administration/domain-event/refunded-category.reads';
import { markFirstOrder } from '../../../../db/commerce/order/order.transitions';
import { execute, type Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { product } from '../make/goods';
import { insertAll } from '../make/insert';
import { shippingMethod } from '../make/selling';

export interface SoldLineOptions {
  goodsMinor: number;
  commissionBp?: number;
  careerPointsBp?: number;
  categoryId?: string | null;
}

export interface SoldOrder {
  id: string;
  lineIds: string[];
}

export interface SoldOrderOptions {
  buyerId: string;
  lines: readonly SoldLineOptions[];
  paidAt?: Date;
  shippingMinor?: number;
  /** The buyer's first; by default the one that is sold first. */
  isFirst?: boolean;
}

export interface SoldOrderRefundOptions {
  order: SoldOrder;
  buyerId: string;
  goodsMinor: number;
  /** The goods of units that were given back, by line. */
  parts?: readonly { line: number; goodsMinor: number }[];
  /** The part of its money that lost chargebacks have paid; by default none. */
  chargedBackMinor?: number;
  /** Of the shipping and of the tax; by default nothing. */
  shippingMinor?: number;
  taxMinor?: number;
  /** Of the rest of the order, without a request. */
  isCancellation?: boolean;
  at?: Date;
}

/** The product and the method that all orders of a database share. */
interface Shared {
  productId: string;
  methodId: string;
}

type Row = Record<string, unknown>;
type RefundEvent = Extract<DomainEvent, { type: 'refund.completed' }>;

const made = new WeakMap<object, Promise<Shared>>();

/** Makes them for the first order. */
export const shared = (db: Db): Promise<Shared> => {
  const key = db.sequelize;
  const found = made.get(key);
  if (found) return found;
  const fresh = (async () => ({ productId: (await product(db)).id, methodId: await shippingMethod(db) }))();
  made.set(key, fresh);
  return fresh;
};

/** The rows of a paid order of these lines, and what is announced of it. */
export function orderRows(
  { buyerId, lines, paidAt = new Date(), shippingMinor = 0, isFirst = false }: SoldOrderOptions,
  { productId, methodId }: Shared,
): { sold: SoldOrder; order: Row; items: Row[]; event: Extract<DomainEvent, { type: 'order.paid' }> } {
  const sold = { id: v7(), lineIds: lines.map(() => v7()) };
  const goodsMinor = lines.reduce((sum, line) => sum + line.goodsMinor, 0);
  const others = { discount_minor: 0, shipping_minor: shippingMinor, tax_minor: 0 };
  const order = {
    ...{ id: sold.id, number: `SOLD-${sold.id}`, user_id: buyerId, status: 'DELIVERED', currency: 'USD' },
    ...{ subtotal_minor: goodsMinor, ...others, total_minor: goodsMinor + shippingMinor },
    ...{ payment_method: 'CARD', payment_status: 'PAID', payment_expires_at: paidAt, paid_at: paidAt },
    is_first: isFirst,
    ...{ shipping_method_id: methodId, shipping_method_name: 'Parcel', shipping_address: {} },
    ...{ created_at: paidAt, updated_at: paidAt },
  };
  const items = lines.map(
    ({ goodsMinor: total, commissionBp = 1_000, careerPointsBp = 10_000, categoryId = null }, position) => ({
      ...{ id: sold.lineIds[position], order_id: sold.id, position },
      ...{ product_id: productId, category_id: categoryId, name: 'Thing', sku: 'THING' },
      ...{ quantity: 1, unit_price_minor: total, total_minor: total, discount_minor: 0, tax_minor: 0 },
      ...{ commission_bp: commissionBp, career_points_bp: careerPointsBp },
    }),
  );
  const event = { type: 'order.paid', orderId: sold.id, goodsMinor, currency: 'USD', isFirst } as const;
  return { sold, order, items, event };
}

/**
 * The rows of an approved refund of such an order, and what is announced of it, not divided by category. A cancellation has no
 * request.
 */
export function refundRows({
  order: { id: orderId, lineIds },
  buyerId,
  goodsMinor,
  shippingMinor = 0,
  taxMinor = 0,
  parts = [],
  chargedBackMinor = 0,
  isCancellation = false,
  at = new Date(),
}: SoldOrderRefundOptions): { id: string | null; requests: Row[]; items: Row[]; event: RefundEvent } {
  const id = isCancellation ? null : v7();
  const paidMinor = Math.max(1, goodsMinor + shippingMinor + taxMinor);
  const request = {
    ...{ id, order_id: orderId, user_id: buyerId, status: 'COMPLETED', reason: 'It does not fit.' },
    ...{ currency: 'USD', requested_minor: paidMinor, approved_minor: paidMinor },
    ...{ goods_back_minor: goodsMinor, goods_tax_back_minor: paidMinor - goodsMinor - shippingMinor },
    ...{ shipping_back_minor: shippingMinor, shipping_tax_back_minor: 0 },
    ...{ decision_id: v7(), decided_at: at, concluded_at: at, created_at: at },
  };
  const items = parts.map((part) => ({
    ...{ refund_request_id: id, order_item_id: lineIds[part.line], quantity: 1 },
    ...{ goods_minor: part.goodsMinor, tax_minor: 0 },
  }));
  const charges = { shippingMinor, taxMinor: request.goods_tax_back_minor };
  const what = { orderId, refundRequestId: id, goodsMinor, chargedBackMinor, ...charges, currency: 'USD' };
  const event = { type: 'refund.completed' as const, ...what, categories: [] };
  return { id, requests: isCancellation ? [] : [request], items: isCancellation ? [] : items, event };
}

/** A paid order of these lines with its announcement, as the partner programme sees one; money and goods stand still. */
export async function soldOrder(db: Db, options: SoldOrderOptions): Promise<SoldOrder> {
  const { sold, order, items, event } = orderRows(options, await shared(db));
  await inTransaction(db, async (tx) => {
    await insertAll(tx, 'orders', [order]);
    await insertAll(tx, 'order_items', items);
    const isFirst = await markFirstOrder(tx, { id: sold.id, userId: options.buyerId });
    await announce(tx, { ...event, isFirst }, (options.paidAt ?? new Date()).toISOString());
  });
  return sold;
}

/**
 * A refund of such an order that was approved, with its announcement; answers its request's id, or null for a cancellation of
 * the rest.
 */
export async function soldOrderRefund(db: Db, options: SoldOrderRefundOptions): Promise<string | null> {
  const { id, requests, items, event } = refundRows(options);
  await inTransaction(db, async (tx) => {
    await insertAll(tx, 'refund_requests', requests);
    await insertAll(tx, 'refund_request_items', items);
    const categories = await refundedByCategory(tx, id, event);
    await announce(tx, { ...event, categories }, (options.at ?? new Date()).toISOString());
  });
  return id;
}

/** The event of a chargeback that is lost for good, or of its return. `refundsOwed`: by default nothing. */
export const chargebackEvent = (
  type: 'chargeback.lost' | 'chargeback.returned',
  {
    refundsOwed = [],
    ...of
  }: { chargebackId: string; userId: string; amountMinor: number; refundsOwed?: RefundOwed[] },
  what: { orderId: string } | { participationId: string } | { entranceId: string },
): DomainEvent => ({
  ...{ type, ...of, currency: 'USD' },
  ...('orderId' in what ? { ...what, refundsOwed } : what),
});

/** People with no password, by one statement; answers their ids. `sponsorIds`: the partner that has referred each. */
export async function people(db: Db, sponsorIds: readonly (string | null)[]): Promise<string[]> {
  const ids = sponsorIds.map(() => v7());
  await execute(
    db,
    `INSERT INTO users (id, region, email, password_hash, status, roles, first_name, last_name, kyc_level, kyc_status,
       email_verified_at, sponsor_id, created_at, updated_at)
     SELECT id, 'EU', id || '@example.com', 'of nothing', 'ACTIVE', '{USER}', 'Ada', 'Lovelace', 'BASIC', 'NOT_STARTED',
       now(), sponsor, now(), now() FROM unnest($1::uuid[], $2::uuid[]) AS p (id, sponsor)`,
    [ids, sponsorIds],
  );
  return ids;
}
