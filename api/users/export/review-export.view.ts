import { z } from 'zod';
import type { KeptReview, KeptVote } from '../../../db/catalog/review/review-export.reads';

/** A review that the user wrote, published or not. */
export const ReviewExport = z.object({
  id: z.uuid(),
  product: z.object({ id: z.uuid(), name: z.string() }),
  rating: z.int(),
  title: z.string().nullable(),
  content: z.string(),
  pros: z.array(z.string()),
  cons: z.array(z.string()),
  status: z.enum(['PENDING', 'PUBLISHED', 'REJECTED']),
  response: z.string().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime().nullable(),
});

/** A vote of the user that a review is helpful. */
export const HelpfulExport = z.object({ reviewId: z.uuid(), createdAt: z.iso.datetime() });

export const reviewExport = ({
  productId,
  productName,
  createdAt,
  updatedAt,
  ...review
}: KeptReview): z.output<typeof ReviewExport> => ({
  ...review,
  product: { id: productId, name: productName },
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt?.toISOString() ?? null,
});

export const helpfulExport = ({ reviewId, createdAt }: KeptVote): z.output<typeof HelpfulExport> => ({
  reviewId,
  createdAt: createdAt.toISOString(),
});
