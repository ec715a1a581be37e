import { v7 } from 'uuid';
import { execute, type Db } from '../../../../db/sql/query';
import { product } from './goods';
import { insert, nextNumber } from './insert';
import { user } from './people';
import { shippingMethod } from './selling';

export interface Review {
  id: string;
  productId: string;
  userId: string;
}

interface ReviewOptions extends Partial<Omit<Review, 'id'>> {
  rating?: number;
  status?: 'PENDING' | 'PUBLISHED' | 'REJECTED';
  title?: string | null;
  content?: string;
  response?: string | null;
  createdAt?: Date;
  /** Ids of the users who found it helpful. */
  helpfulTo?: string[];
}

interface PurchaseOptions {
  userId: string;
  productId: string;
  status?: 'PENDING_PAYMENT' | 'PAID' | 'PROCESSING' | 'SHIPPED' | 'DELIVERED' | 'CANCELLED' | 'REFUNDED';
}

/** An order of one unit without a process, by default DELIVERED; answers the order's id. */
export async function purchase(
  db: Db,
  { userId, productId, status = 'DELIVERED' }: PurchaseOptions,
): Promise<string> {
  const id = v7();
  const at = new Date();
  const isPaid = status !== 'PENDING_PAYMENT';
  await insert(db, 'orders', {
    id,
    number: `MADE-${nextNumber()}-${id.slice(-8)}`,
    user_id: userId,
    status,
    payment_status: isPaid ? 'PAID' : 'PENDING',
    currency: 'USD',
    subtotal_minor: 2_500,
    discount_minor: 0,
    shipping_minor: 0,
    tax_minor: 0,
    total_minor: 2_500,
    payment_method: 'CARD',
    payment_expires_at: at,
    paid_at: isPaid ? at : null,
    shipping_method_id: await shippingMethod(db),
    shipping_method_name: 'Parcel',
    shipping_address: JSON.stringify({}),
    created_at: at,
    updated_at: at,
  });
  await insert(db, 'order_items', {
    id: v7(),
    order_id: id,
    position: 0,
    product_id: productId,
    name: 'Thing',
    sku: 'THING',
    quantity: 1,
    unit_price_minor: 2_500,
    total_minor: 2_500,
    discount_minor: 0,
    tax_minor: 0,
    commission_bp: 0,
    career_points_bp: 0,
  });
  return id;
}

/** A review; by default published, five stars, by a new user of a new product. */
export async function review(db: Db, options: ReviewOptions = {}): Promise<Review> {
  const made = {
    id: v7(),
    productId: options.productId ?? (await product(db)).id,
    userId: options.userId ?? (await user(db)).id,
  };
  const { rating = 5, status = 'PUBLISHED', helpfulTo = [], createdAt = new Date() } = options;
  await insert(db, 'reviews', {
    id: made.id,
    product_id: made.productId,
    user_id: made.userId,
    rating,
    title: options.title ?? null,
    content: options.content ?? 'It does what it should.',
    status,
    helpful_count: helpfulTo.length,
    response: options.response ?? null,
    responded_at: options.response ? createdAt : null,
    created_at: createdAt,
  });
  for (const userId of helpfulTo)
    await insert(db, 'review_votes', { review_id: made.id, user_id: userId, created_at: createdAt });
  if (status === 'PUBLISHED')
    await execute(db, 'UPDATE products SET ratings[$2::int] = ratings[$2::int] + 1 WHERE id = $1', [
      made.productId,
      rating,
    ]);
  return made;
}
