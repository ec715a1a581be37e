import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { sentFields } from '../../../http/request/sent-fields';
import { actorOf } from '../../actor';
import { changeImage } from './change.command';
import { AdminImage, ImageChange, imageView, oneImage } from './image.view';

export const changeProductImage = endpoint({
  id: 'updateProductImage',
  returns: 'The image as it is now',
  method: 'patch',
  path: '/admin/products/:id/images/:imageId',
  summary: 'Change the text, position or rank of an image',
  description: 'Fields left out stay as they are.',
  tag: 'Administration: products',
  auth: 'admin',
  limit: perMinute(200),

  params: oneImage,
  body: ImageChange,
  success: 200,
  data: AdminImage,
  errors: { PRODUCT_NOT_FOUND: 404, IMAGE_NOT_FOUND: 404 },

  async handle({ params: { id: productId, imageId }, body }, { caller, db, request }) {
    const by = actorOf({ caller, request });
    return imageView(await changeImage(db, { productId, imageId }, sentFields(body), by));
  },
});
