import { z } from 'zod';
import { administeredReviews } from '../../../db/catalog/review/administered-review.reads';
import { endpoint } from '../../http/endpoint';
import { digits, text, uuid } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { paging, SortOrderField, windowOf } from '../../http/answer/paging';
import { AdminReview, adminReviewView } from './admin-review.view';
import { identifying } from '../../http/request/ids/identified';
import { ReviewStatusField } from '../../products/reviews/review.view';

export const listAdminReviews = endpoint({
  id: 'listAllReviews',
  returns: 'One page of reviews',
  method: 'get',
  path: '/admin/reviews',
  summary: 'List reviews',
  description: 'The newest first by default; `status=PENDING` lists those that wait for a decision.',
  tag: 'Administration: reviews',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    status: ReviewStatusField.optional(),
    productId: identifying(uuid(), 'product').optional().describe('Only what belongs to this product.'),
    rating: digits({ min: 1, max: 5 }).optional().describe('Only reviews with this number of stars.'),
    search: text({ max: 100 }).optional().meta({ description: 'Part of the title or the text.' }),
    sortOrder: SortOrderField.default('desc').meta({ description: 'By the time of writing.' }),
  }),
  success: 200,
  paginated: true,
  data: z.object({ reviews: z.array(AdminReview).describe('Reviews, newest first.') }),
  errors: {},

  async handle({ query: { page, pageSize, sortOrder, ...filter } }, { db, reply }) {
    const window = { sortOrder, ...windowOf({ page, pageSize }) };
    const found = await administeredReviews(db, filter, window);
    reply.page({ total: found.total, page, pageSize });
    return { reviews: found.reviews.map(adminReviewView) };
  },
});
