import type { Attributes } from 'sequelize';
import type { ReviewStatus } from '../../../workflows/catalog/review/review.rules';
import { firstRow, type Db, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { VISIBLE } from '../shop/shop-product-filter.reads';
import { BlockedWord } from './blocked-word.model';
import { hasBought } from './review-columns.reads';
import { Review } from './review.model';

/** A buyer's review of a product. */
export type NewReview = Pick<
  Attributes<Review>,
  'id' | 'productId' | 'userId' | 'rating' | 'title' | 'content' | 'pros' | 'cons'
> & { at: Date };

const WRITTEN = ['id', 'rating', 'title', 'content', 'pros', 'cons', 'status', 'createdAt'] as const;

/** A review as its author is shown it. */
export type WrittenReview = Pick<Attributes<Review>, (typeof WRITTEN)[number]>;

type LockedReview = Pick<Attributes<Review>, 'productId' | 'rating' | 'status' | 'response'>;

/** The words that make a review wait for an administrator. */
export const blockedWords = async (db: Db): Promise<string[]> =>
  (await table(db, BlockedWord).all(['word'], {})).map(({ word }) => word);

/** True if a user has bought a product; null if visitors see no such product. */
export async function purchaseOf(
  tx: Tx,
  { productId, userId }: { productId: string; userId: string },
): Promise<{ isBought: boolean } | null> {
  return firstRow<{ isBought: boolean }>(
    tx,
    `SELECT ${hasBought('$2', 'p.id')} AS is_bought FROM products p WHERE p.id = $1 AND ${VISIBLE}`,
    [productId, userId],
  );
}

/** Inserts a review; null if its author has reviewed the product before. */
export const insertReview = (
  tx: Tx,
  review: NewReview & { status: ReviewStatus },
): Promise<WrittenReview | null> =>
  firstRow<WrittenReview>(
    tx,
    `INSERT INTO reviews (id, product_id, user_id, rating, title, content, pros, cons, status, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7::text[], $8::text[], $9, $10)
     ON CONFLICT ON CONSTRAINT reviews_one_per_buyer_key DO NOTHING
     RETURNING id, rating, title, content, pros, cons, status, created_at`,
    [
      review.id,
      review.productId,
      review.userId,
      review.rating,
      review.title,
      review.content,
      review.pros,
      review.cons,
      review.status,
      review.at,
    ],
  );

/** A user's review of a product, or null. */
export const reviewOf = (
  tx: Tx,
  { productId, userId }: { productId: string; userId: string },
): Promise<WrittenReview | null> => table(tx, Review).one(WRITTEN, { productId, userId });

/** A review, locked until the end of the transaction; null if it does not exist. */
export const lockReview = (tx: Tx, id: string): Promise<LockedReview | null> =>
  table(tx, Review).one(['productId', 'rating', 'status', 'response'], { id }, { lock: 'NO_KEY_UPDATE' });

export async function setReviewStatus(tx: Tx, id: string, status: ReviewStatus, at: Date): Promise<void> {
  await table(tx, Review).update({ status, updatedAt: at }, { id });
}

/** Sets the shop's public answer to a review. */
export async function setReviewResponse(tx: Tx, id: string, response: string, at: Date): Promise<void> {
  await table(tx, Review).update({ response, respondedAt: at, updatedAt: at }, { id });
}
