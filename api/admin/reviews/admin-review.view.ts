import { z } from 'zod';
import type { AdministeredReview } from '../../../db/catalog/review/administered-review.reads';
import {
  ERASED_AUTHOR,
  reviewView,
  ShopResponse,
  Stars,
  ReviewStatusField,
} from '../../products/reviews/review.view';
import { idOf } from '../../http/request/ids/id-of';

export const oneReview = z.object({ id: idOf('review') });

export const AdminReview = z
  .object({
    id: z.uuid(),
    product: z.object({ id: z.uuid(), name: z.string() }).describe('The product that it is about.'),
    author: z
      .object({
        id: z.uuid().describe('Identifies the user; a UUID.'),
        name: z.string(),
        email: z.string(),
        isVerifiedPurchaser: z.boolean().describe('True if the author bought the product here.'),
      })
      .meta({ description: 'The full name.' }),
    rating: Stars.describe('Stars from 1 to 5.'),
    title: z.string().nullable().describe('A headline; null without one.'),
    content: z.string().describe('The text that was written.'),
    pros: z.array(z.string()).describe('What the author liked, one point each.'),
    cons: z.array(z.string()).describe('What the author disliked, one point each.'),
    status: ReviewStatusField,
    helpfulCount: z.int().describe('How many found the review helpful.'),
    response: ShopResponse.describe('The public answer of the shop; null without one.'),
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
