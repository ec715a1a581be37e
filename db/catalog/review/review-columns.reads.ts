import { BOUGHT } from '../../../workflows/catalog/review/review.rules';

/** Who wrote a review, as stored; whoever is erased has no name left. */
export interface ReviewAuthorRow {
  authorId: string;
  firstName: string;
  lastName: string;
  avatarUrl: string | null;
  isErased: boolean;
  /** Whether the purchase stands: what was paid for and neither cancelled nor refunded. */
  isVerifiedPurchaser: boolean;
}

/** What everyone may read of a review. */
export interface ReviewRow extends ReviewAuthorRow {
  id: string;
  rating: number;
  title: string | null;
  content: string;
  pros: string[];
  cons: string[];
  helpfulCount: number;
  response: string | null;
  respondedAt: Date | null;
  createdAt: Date;
  updatedAt: Date | null;
}

/** Whether this user has bought this product; both are SQL. */
export const hasBought = (user: string, product: string): string => `EXISTS (
  SELECT 1 FROM orders o JOIN order_items i ON i.order_id = o.id
  WHERE o.user_id = ${user} AND i.product_id = ${product} AND o.status IN (${BOUGHT.map((status) => `'${status}'`).join(', ')}))`;

/** Of the review `r` by its author `u`. */
export const REVIEW_COLUMNS = `
  r.id, r.rating, r.title, r.content, r.pros, r.cons, r.helpful_count, r.response,
  r.responded_at, r.created_at, r.updated_at, u.id AS author_id,
  u.first_name, u.last_name, u.avatar_url,
  u.erased_at IS NOT NULL AS is_erased, ${hasBought('r.user_id', 'r.product_id')} AS is_verified_purchaser`;
