import { NIL } from 'uuid';
import { z } from 'zod';
import type { ReviewAuthorRow, ReviewRow } from '../../../db/catalog/review/review-columns.reads';
import type { ShownReviewRow } from '../../../db/catalog/review/published-review.reads';
import { text } from '../../http/request/fields';

export const Stars = z.int().min(1).max(5);

/** The status of a new review; PENDING is not shown yet. */
export const WrittenStatus = z.enum(['PENDING', 'PUBLISHED']);

/** The shop's public answer to a review. */
export const ShopResponse = z.object({ content: z.string(), respondedAt: z.iso.datetime() }).nullable();

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
    rating: Stars,
    title: text({ max: 100 }).nullish().meta({ example: 'Still going strong' }),
    content: content(),
    pros: points('Quiet'),
    cons: points('Heavy'),
  })
  .meta({ id: 'ReviewRequest' });

export const Review = z
  .object({
    id: z.uuid(),
    author: z.object({
      id: z.uuid(),
      name: z.string().meta({ description: 'First name and initial.', example: 'Ada L.' }),
      avatarUrl: z.string().nullable(),
      isVerifiedPurchaser: z.boolean().meta({
        description: 'Has bought the product, in an order that was neither cancelled nor refunded.',
      }),
    }),
    rating: Stars,
    title: z.string().nullable(),
    content: z.string(),
    pros: z.array(z.string()),
    cons: z.array(z.string()),
    helpfulCount: z.int(),
    isHelpful: z.boolean().nullable().meta({ description: 'Null without a signed-in caller.' }),
    images: z
      .array(z.object({ url: z.string(), thumbnailUrl: z.string() }))
      .meta({ description: 'Always empty: reviews have no images yet.' }),
    response: ShopResponse,
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

export const shownReview = (row: ShownReviewRow): z.input<typeof Review> => ({
  ...reviewView(row),
  author: {
    ...(row.isErased ? ERASED_AUTHOR : { id: row.authorId, name: shortName(row), avatarUrl: row.avatarUrl }),
    isVerifiedPurchaser: row.isVerifiedPurchaser,
  },
  isHelpful: row.isHelpful,
  // Chosen: always empty, as the contract has no upload of pictures for reviews.
  images: [],
});
