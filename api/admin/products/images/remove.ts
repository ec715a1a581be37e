import { z } from 'zod';
import { deleteImage } from '../../../../db/catalog/image/product-image.writes';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { removeUnwanted } from '../../../media/kept-picture';
import { actor } from '../product.view';
import { oneImage } from './image.view';

export const removeProductImage = endpoint({
  method: 'delete',
  path: '/admin/products/:id/images/:imageId',
  summary: 'Remove a picture',
  description: 'After the primary one, the next is it. Orders go on showing its thumbnail.',
  tag: 'Administration: products',
  auth: 'admin',
  limit: perMinute(200),

  params: oneImage,
  success: 200,
  data: z
    .object({ id: z.uuid(), deletedAt: z.iso.datetime(), deletedBy: z.uuid() })
    .meta({ id: 'DeletedProductImage' }),
  errors: { PRODUCT_NOT_FOUND: 404, IMAGE_NOT_FOUND: 404 },

  async handle({ params: { id: productId, imageId } }, context) {
    const { caller, db } = context;
    const { deletedAt, unwanted } = await deleteImage(db, { productId, imageId }, actor(context));
    await removeUnwanted(context, unwanted);
    return { id: imageId, deletedAt: deletedAt.toISOString(), deletedBy: caller.id };
  },
});
