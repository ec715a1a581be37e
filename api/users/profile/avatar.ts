import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { authPerHour, perMinute } from '../../http/limits/limits';
import { keepPicture, removeUnwanted } from '../../media/kept-picture';
import { replaceAvatar } from './avatar.command';

const MOST_BYTES = 5 * 1024 * 1024;
const SMALL = 200;
const LARGE = 400;

export const uploadAvatar = endpoint({
  method: 'post',
  path: '/users/me/avatar',
  summary: 'Set my picture',
  description: `A JPEG, PNG or WebP picture in the field \`file\`, by its content and not by its name. It is cut to a square and kept in ${SMALL}×${SMALL} and ${LARGE}×${LARGE} pixels, without what cameras write into pictures; the one before it is gone.`,
  tag: 'Account',
  auth: 'user',
  // Chosen: nobody changes their face more often, and decoding costs far more than its bytes.
  limit: { ...perMinute(100), also: authPerHour(10) },
  idempotent: false,

  upload: { field: 'file', maxBytes: MOST_BYTES },
  success: 200,
  data: z.object({
    avatarUrl: z.url().meta({ example: 'https://api.example.com/media/4f2a…' }),
    thumbnails: z.object({
      small: z
        .url()
        .meta({ description: `${SMALL}×${SMALL}`, example: 'https://api.example.com/media/91bc…' }),
      large: z
        .url()
        .meta({ description: `${LARGE}×${LARGE}`, example: 'https://api.example.com/media/4f2a…' }),
    }),
  }),
  errors: { INVALID_FILE_TYPE: 400, FILE_TOO_LARGE: 413 },

  async handle(_asked, context) {
    const { caller, db, pictures, request } = context;
    const drawings = [
      { side: SMALL, fit: 'square' },
      { side: LARGE, fit: 'square' },
    ] as const;
    const [small, large] = await pictures.draw(request.file, drawings, request.clientGone);
    if (!small || !large) throw new Error('The picture was not drawn.');
    const kept = [await keepPicture(context, small), await keepPicture(context, large)] as const;
    const [{ url: smallUrl }, { url: largeUrl }] = kept;
    await removeUnwanted(context, await replaceAvatar(db, caller.id, kept, largeUrl));
    return { avatarUrl: largeUrl, thumbnails: { small: smallUrl, large: largeUrl } };
  },
});
