import type { Attributes } from 'sequelize';
import { rows, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { ReviewVote } from './review-vote.model';
import type { Review } from './review.model';

/** A review of any status, as its author may export it. */
export type StoredReview = Omit<Attributes<Review>, 'userId' | 'helpfulCount' | 'respondedAt'> & {
  productName: string;
};

/** A vote that another user's review is helpful. */
export type StoredVote = Pick<Attributes<ReviewVote>, 'reviewId' | 'createdAt'>;

/** All reviews of a user, newest first. */
export const reviewsBy = (db: Db, userId: string): Promise<StoredReview[]> =>
  rows<StoredReview>(
    db,
    `SELECT r.id, r.product_id, p.name AS product_name, r.rating, r.title, r.content, r.pros, r.cons,
            r.status, r.response, r.created_at, r.updated_at
       FROM reviews r JOIN products p ON p.id = r.product_id WHERE r.user_id = $1
      ORDER BY r.created_at DESC, r.id DESC`,
    [userId],
  );

/** All votes of a user, newest first. */
export const votesBy = (db: Db, userId: string): Promise<StoredVote[]> =>
  table(db, ReviewVote).all(
    ['reviewId', 'createdAt'],
    { userId },
    {
      order: [
        ['createdAt', 'DESC'],
        ['reviewId', 'ASC'],
      ],
    },
  );
