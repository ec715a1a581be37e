import { z } from 'zod';
import { blockedWords, writeReview } from '../../../db/catalog/review/review.writes';
import { statusOfNew } from '../../../workflows/catalog/review/review.rules';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { uuid } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { ReviewRequest, Stars, WrittenStatus } from './review.view';

export const writeReviewEndpoint = endpoint({
  method: 'post',
  path: '/products/:id/reviews',
  summary: 'Review a product',
  description:
    'For whoever has bought it, once. It is shown at once, unless it holds a link, an e-mail address, a phone number or a blocked word: then it waits (PENDING) until an administrator has read it.',
  tag: 'Reviews',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ id: uuid() }),
  body: ReviewRequest,
  success: 201,
  data: z.object({
    id: z.uuid(),
    rating: Stars,
    title: z.string().nullable(),
    content: z.string(),
    pros: z.array(z.string()),
    cons: z.array(z.string()),
    status: WrittenStatus,
    createdAt: z.iso.datetime(),
  }),
  errors: { NOT_PURCHASED: 403, PRODUCT_NOT_FOUND: 404, ALREADY_REVIEWED: 409 },

  async handle({ params: { id: productId }, body }, { caller, db, mint }) {
    const { rating, content, pros, cons } = body;
    const title = body.title || null;
    const { review: id } = await mint('review');
    const texts = [title ?? '', content, ...pros, ...cons];
    const status = statusOfNew(texts, await blockedWords(db));
    const at = new Date();
    const own = { id, productId, userId: caller.id };
    const done = await writeReview(db, { ...own, rating, title, content, pros, cons, status, at });
    switch (done.outcome) {
      case 'unknown product':
        throw refusal('PRODUCT_NOT_FOUND', `There is no product ${productId}.`);
      case 'not purchased':
        throw refusal('NOT_PURCHASED', 'Only who has bought a product reviews it.');
      case 'already reviewed':
        throw refusal('ALREADY_REVIEWED', 'You have reviewed this product before.');
      case 'written':
        return {
          ...done.review,
          status: done.review.status === 'PUBLISHED' ? 'PUBLISHED' : 'PENDING',
          createdAt: done.review.createdAt.toISOString(),
        };
    }
  },
});
