import { rows, type Db } from '../../sql/query';
import type { ProductRow } from '../shop/shop-product-columns.reads';
import { VISIBLE } from '../shop/shop-product-filter.reads';
import { REVIEW_COLUMNS, type ReviewRow } from './review-columns.reads';

export type ReviewSort = 'createdAt' | 'rating' | 'helpful';

/** A page of a product's reviews and its order; equal ones are in the order of their ids. */
export interface ReviewPage {
  /** Only reviews with this number of stars. */
  rating: number | undefined;
  sortBy: ReviewSort;
  sortOrder: 'asc' | 'desc';
  limit: number;
  offset: number;
}

export interface ShownReviewRow extends ReviewRow {
  /** True if the caller voted it helpful; null without a signed-in caller. */
  isHelpful: boolean | null;
}

/** A page of reviews with the ratings of all published reviews of the product. */
export interface ShownReviews {
  ratings: ProductRow['ratings'];
  reviews: ShownReviewRow[];
}

/** Each is the second column of an index on the product. */
const SORT_KEYS: Record<ReviewSort, string> = {
  createdAt: 'created_at',
  rating: 'rating',
  helpful: 'helpful_count',
};

type Found = Pick<ShownReviews, 'ratings'> & (ShownReviewRow | { id: null });

/** One page of a product's published reviews, in one statement; null if visitors do not see the product. */
export async function publishedReviews(
  db: Db,
  productId: string,
  callerId: string | null,
  { rating, sortBy, sortOrder, limit, offset }: ReviewPage,
): Promise<ShownReviews | null> {
  const values: unknown[] = [productId, callerId, limit, offset];
  const narrowed = rating === undefined ? '' : `AND r.rating = $${values.push(rating)}::int`;
  const sorted = `ORDER BY r.${SORT_KEYS[sortBy]} ${sortOrder}, r.id ${sortOrder}`;
  const found = await rows<Found>(
    db,
    `WITH page AS MATERIALIZED (
       SELECT r.* FROM reviews r WHERE r.product_id = $1 AND r.status = 'PUBLISHED' ${narrowed}
       ${sorted} LIMIT $3 OFFSET $4)
     SELECT p.ratings, ${REVIEW_COLUMNS},
       CASE WHEN $2::uuid IS NOT NULL THEN EXISTS (
         SELECT 1 FROM review_votes v WHERE v.review_id = r.id AND v.user_id = $2::uuid) END AS is_helpful
     FROM products p LEFT JOIN page r ON true LEFT JOIN users u ON u.id = r.user_id
     WHERE p.id = $1 AND ${VISIBLE} ${sorted}`,
    values,
  );
  const [first] = found;
  if (!first) return null;
  return {
    ratings: first.ratings,
    reviews: found.filter((row): row is Found & ShownReviewRow => row.id !== null),
  };
}
