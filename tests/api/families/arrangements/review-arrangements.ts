import { make } from '../../../support/builders/make';
import type { Arrange } from './arranged';

/** A review by another user, under the path's parameter. */
const anothers: Arrange = async ({ world, productId }) => {
  const { id } = await make.review(world.db, { productId });
  return { params: { id: productId, reviewId: id } };
};

/** A review that waits for moderation. */
const pending: Arrange = async ({ world, productId }) => ({
  params: { id: (await make.review(world.db, { productId, status: 'PENDING' })).id },
});

export const reviewArrangements: Readonly<Record<string, Arrange>> = {
  'GET /products/:id/reviews': anothers,
  'POST /products/:id/reviews': async ({ world, productId }, { user }) => {
    await make.purchase(world.db, { userId: user.id, productId });
    return { params: { id: productId } };
  },
  'POST /products/:id/reviews/:reviewId/helpful': anothers,
  'DELETE /products/:id/reviews/:reviewId/helpful': anothers,
  'POST /admin/reviews/:id/publish': pending,
  'POST /admin/reviews/:id/reject': pending,
  'POST /admin/reviews/:id/respond': pending,
};
