import { z } from 'zod';
import type { StoredReview, StoredVote } from '../../../db/catalog/review/review-export.reads';
import { ReviewStatusField } from '../../products/reviews/review.view';

/** A review that the user wrote, published or not. */
export const ReviewExport = z.object({
  id: z.uuid(),
  product: z.object({ id: z.uuid(), name: z.string() }).describe('The product that it is about.'),
  rating: z.int().describe('Stars from 1 to 5.'),
  title: z.string().nullable().describe('A headline; null without one.'),
  content: z.string().describe('The text that was written.'),
  pros: z.array(z.string()).describe('What the author liked, one point each.'),
  cons: z.array(z.string()).describe('What the author disliked, one point each.'),
  status: ReviewStatusField,
  response: z.string().nullable().describe('The public answer of the shop; null without one.'),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime().nullable(),
});

/** A vote of the user that a review is helpful. */
export const HelpfulExport = z.object({
  reviewId: z.uuid().describe('Identifies the review; a UUID.'),
  createdAt: z.iso.datetime(),
});

export const reviewExport = ({
  productId,
  productName,
  createdAt,
  updatedAt,
  ...review
}: StoredReview): z.output<typeof ReviewExport> => ({
  ...review,
  product: { id: productId, name: productName },
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt?.toISOString() ?? null,
});

export const helpfulExport = ({ reviewId, createdAt }: StoredVote): z.output<typeof HelpfulExport> => ({
  reviewId,
  createdAt: createdAt.toISOString(),
});
