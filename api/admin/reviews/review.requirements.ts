import {
  administeredReview,
  type AdministeredReview,
} from '../../../db/catalog/review/administered-review.reads';
import type { Tx } from '../../../db/sql/query';
import { refusal } from '../../../workflows/errors';

/** A review as administrators see it; refused with REVIEW_NOT_FOUND if it does not exist. */
export async function requireReview(tx: Tx, id: string): Promise<AdministeredReview> {
  const review = await administeredReview(tx, id);
  if (!review) throw refusal('REVIEW_NOT_FOUND');
  return review;
}
