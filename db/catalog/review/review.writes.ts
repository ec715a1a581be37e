import type { ReviewStatus } from '../../../workflows/catalog/review/review.rules';
import { firstRow, rows, type Db, type Tx } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';
import { VISIBLE } from '../product/product-filter.reads';
import { countRating } from '../product/product-rating.writes';
import { hasBought } from './review-columns.reads';

/** What a buyer has to say, and whether it is shown at once. */
export interface NewReview {
  id: string;
  productId: string;
  userId: string;
  rating: number;
  title: string | null;
  content: string;
  pros: readonly string[];
  cons: readonly string[];
  status: ReviewStatus;
  at: Date;
}

export interface WrittenReview {
  id: string;
  rating: number;
  title: string | null;
  content: string;
  pros: string[];
  cons: string[];
  status: ReviewStatus;
  createdAt: Date;
}

type WritingOutcome =
  | { outcome: 'written'; review: WrittenReview }
  | { outcome: 'unknown product' | 'not purchased' | 'already reviewed' };

const WRITTEN = 'id, rating, title, content, pros, cons, status, created_at';

/** Words that let a review wait for a person. */
export const blockedWords = async (db: Db): Promise<string[]> =>
  (await rows<{ word: string }>(db, 'SELECT word FROM blocked_words')).map(({ word }) => word);

/**
 * Keeps what a buyer says of a product and counts it if it is shown. Of two at once one is kept; the same one again is
 * found as it was written.
 */
export const writeReview = (db: Db, review: NewReview): Promise<WritingOutcome> =>
  inTransaction(db, async (tx) => {
    const product = await firstRow<{ isBought: boolean }>(
      tx,
      `SELECT ${hasBought('$2', 'p.id')} AS is_bought FROM products p WHERE p.id = $1 AND ${VISIBLE}`,
      [review.productId, review.userId],
    );
    if (!product) return { outcome: 'unknown product' };
    if (!product.isBought) return { outcome: 'not purchased' };
    const written = await insert(tx, review);
    if (!written) return earlier(tx, review);
    if (written.status === 'PUBLISHED') await countRating(tx, review.productId, written.rating, 1);
    return { outcome: 'written', review: written };
  });

/** Null when this buyer has reviewed this product before. */
const insert = (tx: Tx, review: NewReview): Promise<WrittenReview | null> =>
  firstRow<WrittenReview>(
    tx,
    `INSERT INTO reviews (id, product_id, user_id, rating, title, content, pros, cons, status, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7::text[], $8::text[], $9, $10)
     ON CONFLICT ON CONSTRAINT reviews_one_per_buyer_key DO NOTHING RETURNING ${WRITTEN}`,
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

async function earlier(tx: Tx, { productId, userId, id }: NewReview): Promise<WritingOutcome> {
  const review = await firstRow<WrittenReview>(
    tx,
    `SELECT ${WRITTEN} FROM reviews WHERE product_id = $1 AND user_id = $2`,
    [productId, userId],
  );
  return review?.id === id ? { outcome: 'written', review } : { outcome: 'already reviewed' };
}
