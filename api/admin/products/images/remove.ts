import { z } from 'zod';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { removeUnwanted } from '../../../media/stored-picture';
import { actorOf } from '../../actor';
import { oneImage } from './image.view';
import { deleteImage } from './remove.command';

export const removeProductImage = endpoint({
  id: 'deleteProductImage',
  returns: 'The image that was removed',
  method: 'delete',
  path: '/admin/products/:id/images/:imageId',
  summary: 'Remove an image',
  description: 'If it was the primary one, the next becomes it. Orders continue to show its thumbnail.',
  tag: 'Administration: products',
  auth: 'admin',
  limit: perMinute(200),

  params: oneImage,
  success: 200,
  data: z
    .object({
      id: z.uuid(),
      deletedAt: z.iso.datetime().describe('When it was removed.'),
      deletedBy: z.uuid().describe('The administrator who did it.'),
    })
    .meta({ id: 'DeletedProductImage' }),
  errors: { PRODUCT_NOT_FOUND: 404, IMAGE_NOT_FOUND: 404 },

  async handle({ params: { id: productId, imageId } }, context) {
    const { caller, db } = context;
    const { deletedAt, unusedBlobs } = await deleteImage(db, { productId, imageId }, actorOf(context));
    await removeUnwanted(context, unusedBlobs);
    return { id: imageId, deletedAt: deletedAt.toISOString(), deletedBy: caller.id };
  },
});
