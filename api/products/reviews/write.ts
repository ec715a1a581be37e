import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { ReviewRequest, Stars, WrittenStatus } from './review.view';
import { writeReview } from './write.command';
import { productReference } from '../../http/request/ids/references';

export const writeReviewEndpoint = endpoint({
  id: 'createReview',
  returns: 'The review as it was received',
  method: 'post',
  path: '/products/:id/reviews',
  summary: 'Review a product',
  description:
    'Once for each buyer. It is shown at once, unless it contains a link, an email address, a phone number or a blocked word: then it waits (PENDING) until an administrator has read it.',
  tag: 'Reviews',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ id: productReference() }),
  body: ReviewRequest,
  success: 201,
  data: z.object({
    id: z.uuid(),
    rating: Stars.describe('Stars from 1 to 5.'),
    title: z.string().nullable().describe('A headline; null without one.'),
    content: z.string().describe('The text that was written.'),
    pros: z.array(z.string()).describe('What the author liked, one point each.'),
    cons: z.array(z.string()).describe('What the author disliked, one point each.'),
    status: WrittenStatus,
    createdAt: z.iso.datetime(),
  }),
  errors: { NOT_PURCHASED: 403, PRODUCT_NOT_FOUND: 404, ALREADY_REVIEWED: 409 },

  async handle({ params: { id: productId }, body }, { caller, db, mint }) {
    const { rating, content, pros, cons } = body;
    const title = body.title || null;
    const { review: id } = await mint('review');
    const own = { id, productId, userId: caller.id };
    const review = await writeReview(db, { ...own, rating, title, content, pros, cons, at: new Date() });
    const status: z.output<typeof WrittenStatus> = review.status === 'PUBLISHED' ? 'PUBLISHED' : 'PENDING';
    return { ...review, status, createdAt: review.createdAt.toISOString() };
  },
});
