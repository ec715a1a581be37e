import type { ReviewStatus } from '../../../workflows/catalog/review/review.rules';
import { rows, type Db } from '../../sql/query';

/** What a person wrote of a product, whatever became of it. */
export interface KeptReview {
  id: string;
  productId: string;
  productName: string;
  rating: number;
  title: string | null;
  content: string;
  pros: string[];
  cons: string[];
  status: ReviewStatus;
  response: string | null;
  createdAt: Date;
  updatedAt: Date | null;
}

/** That they found another's review helpful. */
export interface KeptVote {
  reviewId: string;
  createdAt: Date;
}

/** Newest first. */
export const reviewsBy = (db: Db, userId: string): Promise<KeptReview[]> =>
  rows<KeptReview>(
    db,
    `SELECT r.id, r.product_id, p.name AS product_name, r.rating, r.title, r.content, r.pros, r.cons,
            r.status, r.response, r.created_at, r.updated_at
       FROM reviews r JOIN products p ON p.id = r.product_id WHERE r.user_id = $1
      ORDER BY r.created_at DESC, r.id DESC`,
    [userId],
  );

/** Newest first. */
export const votesBy = (db: Db, userId: string): Promise<KeptVote[]> =>
  rows<KeptVote>(
    db,
    `SELECT review_id, created_at FROM review_votes WHERE user_id = $1
      ORDER BY created_at DESC, review_id`,
    [userId],
  );
