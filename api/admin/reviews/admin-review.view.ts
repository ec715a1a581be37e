import { z } from 'zod';
import type { AdministeredReview } from '../../../db/catalog/review/administered-review.reads';
import { REVIEW_STATUSES } from '../../../workflows/catalog/review/review.rules';
import { ERASED_AUTHOR, reviewView, ShopResponse, Stars } from '../../products/reviews/review.view';
import { idOf } from '../../http/request/ids/id-of';

export const oneReview = z.object({ id: idOf('review') });

export const ReviewStatusField = z.enum(REVIEW_STATUSES);

export const AdminReview = z
  .object({
    id: z.uuid(),
    product: z.object({ id: z.uuid(), name: z.string() }),
    author: z
      .object({ id: z.uuid(), name: z.string(), email: z.string(), isVerifiedPurchaser: z.boolean() })
      .meta({ description: 'The full name.' }),
    rating: Stars,
    title: z.string().nullable(),
    content: z.string(),
    pros: z.array(z.string()),
    cons: z.array(z.string()),
    status: ReviewStatusField,
    helpfulCount: z.int(),
    response: ShopResponse,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'AdminReview' });

export const adminReviewView = (row: AdministeredReview): z.input<typeof AdminReview> => ({
  ...reviewView(row),
  status: row.status,
  product: { id: row.productId, name: row.productName },
  author: {
    id: row.authorId,
    name: row.isErased ? ERASED_AUTHOR.name : `${row.firstName} ${row.lastName}`,
    email: row.authorEmail,
    isVerifiedPurchaser: row.isVerifiedPurchaser,
  },
});
