import { NIL } from 'uuid';
import { z } from 'zod';
import { REVIEW_STATUSES } from '../../../workflows/catalog/review/review.rules';
import type { ReviewAuthorRow, ReviewRow } from '../../../db/catalog/review/review-columns.reads';
import type { ShownReviewRow } from '../../../db/catalog/review/published-review.reads';
import { text } from '../../http/request/fields';

export const ReviewStatusField = z
  .enum(REVIEW_STATUSES)
  .meta({ id: 'ReviewStatus', description: 'Only PUBLISHED reviews are shown in the shop.' });

export const Stars = z.int().min(1).max(5);

/** The status of a new review; PENDING is not shown yet. */
export const WrittenStatus = z.enum(['PENDING', 'PUBLISHED']);

/** The shop's public answer to a review. */
export const ShopResponse = z
  .object({
    content: z.string().describe('The text that was written.'),
    respondedAt: z.iso.datetime().describe('When the shop answered.'),
  })
  .nullable();

/** The text is trimmed first, so that ten spaces are not a review. */
const content = () =>
  text({ min: 10, max: 2_000 }).meta({
    ...{ pattern: '\\S[\\s\\S]{8,}\\S', example: 'It has run every morning for a year.' },
  });

const points = (example: string) =>
  z
    .array(text({ min: 1, max: 100 }))
    .max(5)
    .default([])
    .meta({ example: [example] });

export const ReviewRequest = z
  .object({
    rating: Stars.describe('Stars from 1 to 5.'),
    title: text({ max: 100 })
      .nullish()
      .meta({ description: 'A headline; null without one.', example: 'Still going strong' }),
    content: content().describe('The text that was written.'),
    pros: points('Quiet').describe('What the author liked, one point each.'),
    cons: points('Heavy').describe('What the author disliked, one point each.'),
  })
  .meta({ id: 'ReviewRequest' });

export const Review = z
  .object({
    id: z.uuid(),
    author: z
      .object({
        id: z.uuid().describe('Identifies the user; a UUID.'),
        name: z.string().meta({ description: 'First name and initial.', example: 'Ada L.' }),
        avatarUrl: z.string().nullable().describe('The URL of the avatar; null without one.'),
        isVerifiedPurchaser: z.boolean().meta({
          description: 'Has bought the product, in an order that was neither cancelled nor refunded.',
        }),
      })
      .describe('The person who wrote it.'),
    rating: Stars.describe('Stars from 1 to 5.'),
    title: z.string().nullable().describe('A headline; null without one.'),
    content: z.string().describe('The text that was written.'),
    pros: z.array(z.string()).describe('What the author liked, one point each.'),
    cons: z.array(z.string()).describe('What the author disliked, one point each.'),
    helpfulCount: z.int().describe('How many found the review helpful.'),
    isHelpful: z.boolean().nullable().meta({ description: 'Null without a signed-in caller.' }),
    images: z
      .array(
        z.object({
          url: z.string().describe('The URL of the image.'),
          thumbnailUrl: z.string().describe('The URL of a small version.'),
        }),
      )
      .meta({ description: 'Always empty: reviews have no images yet.' }),
    response: ShopResponse.describe('The public answer of the shop; null without one.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the shop last moderated or answered it.' }),
  })
  .meta({ id: 'Review' });

/** Chosen: one author for all erased accounts, so that they cannot be distinguished. */
export const ERASED_AUTHOR = { id: NIL, name: 'Former customer', avatarUrl: null };

/** Chosen: the first name and an initial: enough to distinguish people, too little to find them. */
export const shortName = ({ firstName, lastName }: Pick<ReviewAuthorRow, 'firstName' | 'lastName'>): string =>
  `${firstName} ${/^\p{L}\p{M}*/u.exec(lastName)?.[0] ?? ''}.`;

/** The part of a review that does not depend on the caller. */
export const reviewView = (row: ReviewRow) => ({
  id: row.id,
  rating: row.rating,
  title: row.title,
  content: row.content,
  pros: row.pros,
  cons: row.cons,
  helpfulCount: row.helpfulCount,
  response:
    row.response === null || row.respondedAt === null
      ? null
      : { content: row.response, respondedAt: row.respondedAt.toISOString() },
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt?.toISOString() ?? null,
});

export const shopReviewView = (row: ShownReviewRow): z.input<typeof Review> => ({
  ...reviewView(row),
  author: {
    ...(row.isErased ? ERASED_AUTHOR : { id: row.authorId, name: shortName(row), avatarUrl: row.avatarUrl }),
    isVerifiedPurchaser: row.isVerifiedPurchaser,
  },
  isHelpful: row.isHelpful,
  // Chosen: always empty, as the contract has no upload of pictures for reviews.
  images: [],
});
