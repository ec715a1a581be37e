import { z } from 'zod';
import type { ImageRow } from '../../../../db/catalog/image/product-image.reads';
import { digits, formFlag, text } from '../../../http/request/fields';
import { productReference } from '../../../http/request/ids/references';
import { demo } from '../../../http/request/ids/demo-ids';
import { idOf } from '../../../http/request/ids/id-of';

/** The path parameters of one picture. */
export const oneImage = z.object({
  id: productReference(demo.editable.product),
  imageId: idOf('image').meta({
    description: 'The image: `id` in the `images` of the product.',
    example: demo.editable.image,
  }),
});

const alt = () =>
  text({ max: 300 }).meta({
    description: 'A text for people who cannot see the image.',
    example: 'A blue kettle',
  });
const LAST_POSITION = 1_000_000;

/** The form fields in addition to the file. */
export const ImageFields = z.object({
  alt: alt().optional(),
  isPrimary: formFlag()
    .optional()
    .meta({ description: 'The first image of a product always is its primary one.' }),
  position: digits({ max: LAST_POSITION }).optional().meta({
    description: 'Images are shown in the order of their positions; without one, after the last.',
  }),
});

/** The body of a change of a picture; fields left out stay. */
export const ImageChange = z
  .object({
    alt: alt().nullable().describe('A text for people who cannot see the image.'),
    isPrimary: z.boolean().meta({
      description: 'One image always is primary: with false the next becomes it, if there is another.',
    }),
    position: z.int().min(0).max(LAST_POSITION),
  })
  .partial()
  .meta({ id: 'ProductImageChange' });

export const AdminImage = z
  .object({
    id: z.uuid(),
    url: z
      .string()
      .meta({ description: 'The URL of the image.', example: 'https://api.example.com/media/4f2a' }),
    thumbnailUrl: z.string().meta({
      description: 'The URL of a small version.',
      example: 'https://api.example.com/media/91bc…',
    }),
    alt: z.string().nullable().describe('A text for people who cannot see the image.'),
    isPrimary: z.boolean().describe('True for the image that stands for the product in lists.'),
    position: z.int(),
  })
  .meta({ id: 'AdminProductImage' });

export const imageView = (row: ImageRow): z.output<typeof AdminImage> => ({ ...row });
