import type { Attributes } from 'sequelize';
import { BOUGHT } from '../../../workflows/catalog/review/review.rules';
import type { Review } from './review.model';

/** The author of a review; an erased account has no name. */
export interface ReviewAuthorRow {
  authorId: string;
  firstName: string;
  lastName: string;
  avatarUrl: string | null;
  isErased: boolean;
  /** True if the author has bought the product, in an order that is paid and neither cancelled nor refunded. */
  isVerifiedPurchaser: boolean;
}

/** The public part of a review. */
export type ReviewRow = Omit<Attributes<Review>, 'productId' | 'userId' | 'status'> & ReviewAuthorRow;

/** SQL for whether a user has bought a product; both parameters are SQL expressions. */
export const hasBought = (user: string, product: string): string => `EXISTS (
  SELECT 1 FROM orders o JOIN order_items i ON i.order_id = o.id
  WHERE o.user_id = ${user} AND i.product_id = ${product} AND o.status IN (${BOUGHT.map((status) => `'${status}'`).join(', ')}))`;

/** The columns of a `ReviewRow`, from the review `r` and its author `u`. */
export const REVIEW_COLUMNS = `
  r.id, r.rating, r.title, r.content, r.pros, r.cons, r.helpful_count, r.response,
  r.responded_at, r.created_at, r.updated_at, u.id AS author_id,
  u.first_name, u.last_name, u.avatar_url,
  u.erased_at IS NOT NULL AS is_erased, ${hasBought('r.user_id', 'r.product_id')} AS is_verified_purchaser`;
