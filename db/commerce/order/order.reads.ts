import type { Attributes } from 'sequelize';
import type { OrderStatus } from '../../../workflows/commerce/order/order.states';
import type { RefundShares } from '../../../workflows/commerce/refund/refund-claim.rules';
import type { PaymentOffer } from '../../../workflows/commerce/payment/payment-page.contract';
import { firstRow, rows, type Db } from '../../sql/query';
import type { OrderCoupon } from '../coupon/order-coupon.model';
import { REFUNDS, type OrderRefunds } from '../refund/order-refund.reads';
import { BACK, IS_ASKED_BACK, RETURNED, returnedMinor } from '../refund/refund-request.reads';
import type { OrderItem } from './order-item.model';
import type { OrderStatusChange } from './order-status-change.model';
import type { Order } from './order.model';
import { until } from '../../sql/until';

export type OrderHead = Pick<
  Attributes<Order>,
  'id' | 'userId' | 'status' | 'paymentStatus' | 'currency' | 'totalMinor' | 'createdAt' | 'updatedAt'
> & { orderNumber: string };

const HEAD = `o.id, o.number AS order_number, o.user_id, o.status, o.payment_status,
  o.currency, o.total_minor, o.created_at, o.updated_at`;

/** Conditions on a user's orders; times are inclusive. */
export interface OrderFilter {
  status?: OrderStatus | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** One page of a user's orders, newest first; `total` counts all that fit the filter. */
export async function ordersOf(
  db: Db,
  userId: string,
  filter: OrderFilter,
  page: { limit: number; offset: number },
): Promise<{ total: number; orders: (OrderHead & { itemCount: number })[] }> {
  const bind = [userId, filter.status ?? null, filter.from ?? null, filter.to ?? null];
  const where = `o.user_id = $1 AND ($2::text IS NULL OR o.status = $2) AND
    ($3::timestamptz IS NULL OR o.created_at >= $3) AND ($4::timestamptz IS NULL OR ${until('o.created_at', '$4')})`;
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM orders o WHERE ${where}`,
    bind,
  );
  const orders = await rows<OrderHead & { itemCount: number }>(
    db,
    `SELECT ${HEAD}, (SELECT count(*)::int FROM order_items i WHERE i.order_id = o.id) AS item_count
     FROM orders o WHERE ${where} ORDER BY o.created_at DESC, o.id DESC LIMIT $5 OFFSET $6`,
    [...bind, page.limit, page.offset],
  );
  return { total: counted?.total ?? 0, orders };
}

/** The state and owner of an order; null when there is none. */
export function orderHead(db: Db, orderId: string): Promise<OrderHead | null> {
  return firstRow<OrderHead>(db, `SELECT ${HEAD} FROM orders o WHERE o.id = $1`, [orderId]);
}

/** An unpaid order past its payment window. */
export interface OverdueOrder {
  orderId: string;
  userId: string;
  orderNumber: string;
}

/** Unpaid orders whose payment window ended before `before`, longest first; not those whose process waits for an operator. */
export const overdueOrders = (
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<OverdueOrder[]> =>
  rows<OverdueOrder>(
    db,
    `SELECT o.id AS order_id, o.user_id, o.number AS order_number FROM orders o
     WHERE o.status = 'PENDING_PAYMENT' AND o.payment_expires_at < $1
       AND NOT EXISTS (SELECT 1 FROM parked_processes p WHERE p.type = 'checkout' AND p.entity_id = o.id::text)
     ORDER BY o.payment_expires_at, o.id LIMIT $2`,
    [before, limit],
  );

/** Orders that were paid before `before` and are not begun, oldest first; not those whose process waits for an operator. */
export const unbegunOrders = (
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<OrderHead[]> =>
  rows<OrderHead>(
    db,
    `SELECT ${HEAD} FROM orders o WHERE o.status = 'PAID' AND o.paid_at < $1
       AND NOT EXISTS (SELECT 1 FROM parked_processes p WHERE p.type = 'fulfilment' AND p.entity_id = o.id::text)
     ORDER BY o.created_at, o.id LIMIT $2`,
    [before, limit],
  );

/** The id of the order with a number, such as ORD-2026-00000339 in any case; null if there is none. */
export async function orderIdOfNumber(db: Db, number: string): Promise<string | null> {
  const row = await firstRow<{ id: string }>(db, 'SELECT id FROM orders WHERE number = upper($1)', [number]);
  return row?.id ?? null;
}

export type OrderItemRow = Omit<
  Attributes<OrderItem>,
  | 'orderId'
  | 'position'
  | 'categoryId'
  | 'commissionBp'
  | 'careerPointsBp'
  | 'stockItemId'
  | 'restockedQuantity'
> & {
  /** Units that are refunded, or in a request that waits for its decision. */
  returned: number;
  /** The worth of those units, as they were claimed. */
  returnedGoodsMinor: number;
  returnedTaxMinor: number;
};

/** An attempt to pay that still may be paid; `expiresAt`: ISO 8601 with an offset. */
type OpenAttempt = Pick<PaymentOffer, 'paymentUrl' | 'bankDetails' | 'expiresAt'>;

/** A whole order. Numbers in JSON sub-lists are safe integers. */
export type OrderDetailRow = OrderHead &
  Pick<
    Attributes<Order>,
    | 'subtotalMinor'
    | 'discountMinor'
    | 'shippingMinor'
    | 'taxMinor'
    | 'partnerBalanceMinor'
    | 'refundedMinor'
    | 'shippingAddress'
    | 'billingAddress'
    | 'shippingMethodName'
    | 'carrier'
    | 'estimatedDelivery'
    | 'paymentMethod'
    | 'paidAt'
    | 'notes'
  > & {
    /** The refunds and the other chargebacks of a provider's money; null for an order without such money. */
    capture: { refundedMinor: number; chargedBackMinor: number } | null;
    /** The approved refunds so far, by the parts of the price. */
    back: RefundShares;
    hasOpenRefundRequest: boolean;
    refunds: OrderRefunds;
    /** The newest attempt to pay, while the order waits for payment. */
    openAttempt: OpenAttempt | null;
    /** The end of the payment window; null for an order that does not wait for payment. */
    payBy: Date | null;
    transactionId: string | null;
    items: OrderItemRow[];
    coupons: Pick<Attributes<OrderCoupon>, 'code' | 'discountMinor'>[];
    history: (Pick<Attributes<OrderStatusChange>, 'status' | 'note'> & { changedAt: string })[];
  };

const DETAIL = `${HEAD}, o.subtotal_minor, o.discount_minor,
       o.shipping_minor, o.tax_minor,
       o.partner_balance_minor, o.refunded_minor,
       ${IS_ASKED_BACK} AS has_open_refund_request, ${BACK} AS back,
       (SELECT json_build_object('refundedMinor', c.refunded_minor, 'chargedBackMinor',
           c.charged_back_minor - c.refunds_charged_back_minor)
          FROM payment_captures c WHERE c.order_id = o.id AND c.applied) AS capture,
       ${REFUNDS} AS refunds,
       (SELECT json_build_object('paymentUrl', a.payment_url, 'bankDetails', a.bank_details, 'expiresAt', a.expires_at)
          FROM payment_attempts a
          WHERE a.order_id = o.id AND a.status = 'PENDING' AND o.status = 'PENDING_PAYMENT'
          ORDER BY a.sequence DESC LIMIT 1) AS open_attempt,
       CASE WHEN o.status = 'PENDING_PAYMENT' THEN o.payment_expires_at END AS pay_by,
       o.shipping_address,
       o.billing_address, o.shipping_method_name, o.carrier,
       o.estimated_delivery, o.payment_method, o.paid_at,
       o.notes,
       (SELECT c.provider_payment_id FROM payment_captures c WHERE c.order_id = o.id AND c.applied) AS transaction_id,
       (SELECT json_agg(json_build_object('id', i.id, 'productId', i.product_id, 'name', i.name, 'sku', i.sku,
           'thumbnailUrl', i.thumbnail_url, 'variantId', i.variant_id, 'variantAttributes', i.variant_attributes,
           'quantity', i.quantity, 'refundedQuantity', i.refunded_quantity, 'unitPriceMinor', i.unit_price_minor, 'totalMinor', i.total_minor,
           'discountMinor', i.discount_minor, 'taxMinor', i.tax_minor, 'returned', ${RETURNED},
           'returnedGoodsMinor', ${returnedMinor('goods')}, 'returnedTaxMinor', ${returnedMinor('tax')})
           ORDER BY i.position) FROM order_items i WHERE i.order_id = o.id) AS items,
       coalesce((SELECT json_agg(json_build_object('code', k.code, 'discountMinor', k.discount_minor) ORDER BY k.code)
           FROM order_coupons k WHERE k.order_id = o.id), '[]') AS coupons,
       (SELECT json_agg(json_build_object('status', h.status, 'changedAt', h.changed_at, 'note', h.note)
           ORDER BY h.changed_at, h.id) FROM order_status_changes h WHERE h.order_id = o.id) AS history`;

/** One order of a user, in one statement; null for an order of someone else and for an unknown one. */
export function orderDetail(db: Db, userId: string, orderId: string): Promise<OrderDetailRow | null> {
  return firstRow<OrderDetailRow>(db, `SELECT ${DETAIL} FROM orders o WHERE o.id = $1 AND o.user_id = $2`, [
    orderId,
    userId,
  ]);
}

/** Every order of a user, newest first, for the export of their data. */
export function orderDetails(db: Db, userId: string): Promise<OrderDetailRow[]> {
  return rows<OrderDetailRow>(
    db,
    `SELECT ${DETAIL} FROM orders o WHERE o.user_id = $1 ORDER BY o.created_at DESC, o.id DESC`,
    [userId],
  );
}
