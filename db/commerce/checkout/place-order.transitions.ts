import type { Attributes } from 'sequelize';
import { v7 } from 'uuid';
import type { OrderPrice } from '../../../workflows/commerce/order/pricing.rules';
import { execute, rows, type Tx } from '../../sql/query';
import { NEXT_NUMBER } from '../cart/cart-to-order.reads';
import type { CartLine } from '../cart/cart.reads';
import type { Order } from '../order/order.model';
import { recordStatus } from '../order/order.transitions';

/** An order about to be written. */
export interface NewOrder extends Pick<
  Attributes<Order>,
  | 'userId'
  | 'currency'
  | 'partnerBalanceMinor'
  | 'paymentMethod'
  | 'shippingAddress'
  | 'billingAddress'
  | 'notes'
> {
  orderId: string;
  /** The number that was drawn for it; left out or taken, one is drawn now. */
  orderNumber?: string | undefined;
  price: OrderPrice;
  lines: readonly CartLine[];
  coupons: readonly { id: string; code: string }[];
  /** ISO 8601. */
  payBy: string;
  shipping: { methodId: string; name: string; carrier: string };
  /** ISO 8601 date. */
  estimatedDelivery: string;
  /** ISO 8601. */
  at: string;
}

/**
 * SQL for the number that was drawn for an order, `$20`. A new one if it is taken: a database that was restored draws
 * numbers again that processes hold already.
 */
const FREE_NUMBER = `CASE WHEN $20::text IS NULL OR EXISTS (SELECT 1 FROM orders WHERE number = $20)
  THEN ${NEXT_NUMBER} ELSE $20 END`;

/** Writes an order that waits for payment, with its items, coupons and the first line of its history. Returns its number. */
export async function writeOrder(tx: Tx, order: NewOrder): Promise<string> {
  const { price, at } = order;
  const [written] = await rows<{ number: string }>(
    tx,
    `INSERT INTO orders (id, number, user_id, status, payment_status, currency, subtotal_minor, discount_minor,
       shipping_minor, tax_minor, total_minor, partner_balance_minor, payment_method, payment_expires_at,
       shipping_method_id, shipping_method_name, carrier, estimated_delivery, shipping_address, billing_address,
       notes, created_at, updated_at)
     VALUES ($1, ${FREE_NUMBER}, $3, 'PENDING_PAYMENT', 'PENDING', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
       $2, $2)
     RETURNING number`,
    [
      order.orderId,
      at,
      order.userId,
      order.currency,
      price.subtotalMinor,
      price.discountMinor,
      price.shippingMinor ?? 0,
      price.taxMinor,
      price.totalMinor,
      order.partnerBalanceMinor,
      order.paymentMethod,
      order.payBy,
      order.shipping.methodId,
      order.shipping.name,
      order.shipping.carrier,
      order.estimatedDelivery,
      JSON.stringify(order.shippingAddress),
      order.billingAddress && JSON.stringify(order.billingAddress),
      order.notes,
      order.orderNumber ?? null,
    ],
  );
  await writeItems(tx, order);
  await writeCoupons(tx, order);
  await recordStatus(tx, order.orderId, { to: 'PENDING_PAYMENT', note: null, by: order.userId, at });
  if (!written) throw new Error(`Order ${order.orderId} was not written.`);
  return written.number;
}

/** The name of a line's goods, with that of their variant. */
export const nameOf = ({ product, variant }: Pick<CartLine, 'product' | 'variant'>): string =>
  variant ? `${product.name}, ${variant.name}` : product.name;

async function writeItems(tx: Tx, { orderId, lines, price }: NewOrder): Promise<void> {
  const items = lines.map((line, position) => ({
    id: v7(),
    position,
    product_id: line.product.id,
    variant_id: line.variant?.id ?? null,
    name: nameOf(line),
    sku: line.variant?.sku ?? line.product.sku,
    thumbnail_url: line.product.thumbnailUrl,
    variant_attributes: line.variant?.attributes ?? null,
    quantity: line.quantity,
    unit_price_minor: line.currentPriceMinor,
    total_minor: price.lines[position]?.totalMinor,
    discount_minor: price.lines[position]?.discountMinor,
    tax_minor: price.lines[position]?.taxMinor,
    commission_bp: line.product.commissionBp,
    career_points_bp: line.product.careerPointsBp,
    stock_item_id: line.stockItemId,
  }));
  await execute(
    tx,
    `INSERT INTO order_items (id, order_id, position, product_id, category_id, variant_id, name, sku, thumbnail_url,
       variant_attributes, quantity, unit_price_minor, total_minor, discount_minor, tax_minor, commission_bp,
       career_points_bp, stock_item_id)
     SELECT i.id, $1, i.position, i.product_id, p.category_id, i.variant_id, i.name, i.sku, i.thumbnail_url,
       i.variant_attributes, i.quantity, i.unit_price_minor, i.total_minor, i.discount_minor, i.tax_minor, i.commission_bp,
       i.career_points_bp, i.stock_item_id
     FROM jsonb_populate_recordset(NULL::order_items, $2::jsonb) AS i JOIN products p ON p.id = i.product_id`,
    [orderId, JSON.stringify(items)],
  );
}

async function writeCoupons(tx: Tx, { orderId, coupons, price }: NewOrder): Promise<void> {
  if (coupons.length === 0) return;
  await execute(
    tx,
    `INSERT INTO order_coupons (order_id, coupon_id, code, discount_minor)
     SELECT $1, * FROM unnest($2::uuid[], $3::text[], $4::bigint[])`,
    [
      orderId,
      coupons.map((coupon) => coupon.id),
      coupons.map((coupon) => coupon.code),
      price.coupons.map((coupon) => coupon.discountMinor),
    ],
  );
}
