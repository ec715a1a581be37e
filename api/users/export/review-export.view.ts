import { z } from 'zod';
import type { KeptReview, KeptVote } from '../../../db/catalog/review/review-export.reads';

/** What a person said of products, whether it is shown or not. */
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

/** A review of another that they found helpful. */
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
