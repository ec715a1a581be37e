import { z } from 'zod';
import { administeredReviews } from '../../../db/catalog/review/administered-review.reads';
import { endpoint } from '../../http/endpoint';
import { digits, text, uuid } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { paging } from '../../http/answer/paging';
import { AdminReview, adminReviewView, ReviewStatusField } from './admin-review.view';
import { identifying } from '../../http/request/ids/identified';

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
    productId: identifying(uuid(), 'product').optional(),
    rating: digits({ min: 1, max: 5 }).optional(),
    search: text({ max: 100 }).optional().meta({ description: 'Part of the title or the text.' }),
    sortOrder: z.enum(['asc', 'desc']).default('desc').meta({ description: 'By the time of writing.' }),
  }),
  success: 200,
  paginated: true,
  data: z.object({ reviews: z.array(AdminReview) }),
  errors: {},

  async handle({ query: { page, pageSize, sortOrder, ...filter } }, { db, reply }) {
    const window = { sortOrder, limit: pageSize, offset: (page - 1) * pageSize };
    const found = await administeredReviews(db, filter, window);
    reply.page({ total: found.total, page, pageSize });
    return { reviews: found.reviews.map(adminReviewView) };
  },
});
