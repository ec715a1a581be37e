import { z } from 'zod';
import { publishedReviews } from '../../../db/catalog/review/published-review.reads';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { digits } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { paging, SortOrderField, windowOf } from '../../http/answer/paging';
import { RatingSummary, ratingSummaryOf } from '../rating.view';
import { Review, shopReviewView } from './review.view';
import { productReference } from '../../http/request/ids/references';

export const listReviews = endpoint({
  id: 'listReviews',
  returns: 'One page of reviews, and how all of them rate the product',
  method: 'get',
  path: '/products/:id/reviews',
  summary: 'List the reviews of a product',
  description:
    'Published reviews only; the newest first by default. `summary` covers all of them, whatever the filter. With a token, `isHelpful` says whether the caller voted a review helpful.',
  tag: 'Reviews',
  auth: 'optional',
  limit: perMinute(200),

  params: z.object({ id: productReference() }),
  query: z.object({
    ...paging(50),
    rating: digits({ min: 1, max: 5 }).optional().describe('Only reviews with this number of stars.'),
    sortBy: z.enum(['createdAt', 'rating', 'helpful']).default('createdAt'),
    sortOrder: SortOrderField.default('desc'),
  }),
  success: 200,
  data: z.object({
    reviews: z.array(Review).describe('Reviews, newest first.'),
    summary: RatingSummary.describe('What reviews say in sum.'),
  }),
  errors: { PRODUCT_NOT_FOUND: 404 },
  paginated: true,

  async handle({ params: { id }, query }, { caller, db, reply }) {
    const { page, pageSize, rating, sortBy, sortOrder } = query;
    const window = windowOf({ page, pageSize });
    const found = await publishedReviews(db, id, caller?.id ?? null, {
      rating,
      sortBy,
      sortOrder,
      ...window,
    });
    if (!found) throw refusal('PRODUCT_NOT_FOUND');
    const summary = ratingSummaryOf(found.ratings);
    // The ratings already have the number of published reviews by stars.
    const total = rating === undefined ? summary.count : (found.ratings[rating - 1] ?? 0);
    reply.page({ total, page, pageSize });
    return { reviews: found.reviews.map(shopReviewView), summary };
  },
});
