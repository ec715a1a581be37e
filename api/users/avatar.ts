import { z } from 'zod';
import { replaceAvatar } from '../../db/identity/avatar.writes';
import { endpoint } from '../http/endpoint';
import { perMinute } from '../http/limits';
import { keepPicture, removeUnwanted } from '../media/kept-picture';
import { drawn } from '../media/picture';

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
  limit: perMinute(100),
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
    const { caller, db, request } = context;
    const [small, large] = await drawn(request.file, [
      { side: SMALL, fit: 'square' },
      { side: LARGE, fit: 'square' },
    ]);
    if (!small || !large) throw new Error('The picture was not drawn.');
    const pictures = [await keepPicture(context, small), await keepPicture(context, large)] as const;
    const [{ url: smallUrl }, { url: largeUrl }] = pictures;
    await removeUnwanted(context, await replaceAvatar(db, caller.id, pictures, largeUrl));
    return { avatarUrl: largeUrl, thumbnails: { small: smallUrl, large: largeUrl } };
  },
});
