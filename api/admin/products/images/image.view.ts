import { z } from 'zod';
import type { ImageRow } from '../../../../db/catalog/image/product-image.reads';
import { digits, flag, text, uuid } from '../../../http/request/fields';

/** The path of everything about one picture. */
export const oneImage = z.object({ id: uuid(), imageId: uuid() });

const alt = () =>
  text({ max: 300 }).meta({ description: 'What it shows, for who cannot see it.', example: 'A blue kettle' });
const LAST_POSITION = 1_000_000;

/** The fields beside the file. */
export const ImageFields = z.object({
  alt: alt().optional(),
  isPrimary: flag().optional().meta({ description: 'A product’s first picture is its primary one anyway.' }),
  position: digits({ max: LAST_POSITION }).optional().meta({
    description: 'Pictures are shown in the order of their positions; without one, after the last.',
  }),
});

/** What is to be of a picture; what is left out stays. */
export const ImageChange = z
  .object({
    alt: alt().nullable(),
    isPrimary: z.boolean().meta({
      description: 'One picture is primary, always: with false another becomes it, if there is another.',
    }),
    position: z.int().min(0).max(LAST_POSITION),
  })
  .partial()
  .meta({ id: 'ProductImageChange' });

export const AdminImage = z
  .object({
    id: z.uuid(),
    url: z.string().meta({ example: 'https://api.example.com/media/4f2a…' }),
    thumbnailUrl: z.string().meta({ example: 'https://api.example.com/media/91bc…' }),
    alt: z.string().nullable(),
    isPrimary: z.boolean(),
    position: z.int(),
  })
  .meta({ id: 'AdminProductImage' });

export const imageView = (row: ImageRow): z.output<typeof AdminImage> => ({ ...row });
