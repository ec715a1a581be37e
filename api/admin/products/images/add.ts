import { v7 } from 'uuid';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { storePicture } from '../../../media/stored-picture';
import { actorOf } from '../../actor';
import { oneProduct } from '../product.view';
import { addImage, MOST_IMAGES } from './add.command';
import { AdminImage, ImageFields, imageView } from './image.view';

const MOST_BYTES = 10 * 1024 * 1024;
const LARGEST_PX = 1600;
const THUMBNAIL_PX = 400;

export const addProductImage = endpoint({
  id: 'addProductImage',
  returns: 'The new image',
  method: 'post',
  path: '/admin/products/:id/images',
  summary: 'Add an image to a product',
  description: `A JPEG, PNG or WebP image in the field \`file\`, by its content and not by its name. It is kept with at most ${LARGEST_PX} pixels each way and as a square of ${THUMBNAIL_PX}×${THUMBNAIL_PX}, without what cameras write into images. At most ${MOST_IMAGES} a product.`,
  tag: 'Administration: products',
  auth: 'admin',
  limit: perMinute(200),
  idempotent: false,

  params: oneProduct,
  upload: { field: 'file', maxBytes: MOST_BYTES },
  body: ImageFields,
  success: 201,
  data: AdminImage,
  errors: { PRODUCT_NOT_FOUND: 404, INVALID_FILE_TYPE: 400, FILE_TOO_LARGE: 413 },

  async handle({ params, body }, context) {
    const { db, pictures, request } = context;
    const drawings = [
      { side: LARGEST_PX, fit: 'inside' },
      { side: THUMBNAIL_PX, fit: 'square' },
    ] as const;
    const [large, small] = await pictures.draw(request.file, drawings, request.clientGone);
    if (!large || !small) throw new Error('The picture was not drawn.');
    const picture = await storePicture(context, large);
    const thumbnail = await storePicture(context, small);
    const image = {
      id: v7(),
      picture,
      thumbnail,
      url: picture.url,
      thumbnailUrl: thumbnail.url,
      alt: body.alt ?? null,
      isPrimary: body.isPrimary ?? false,
      position: body.position ?? null,
    };
    return imageView(await addImage(db, params.id, image, actorOf(context)));
  },
});
