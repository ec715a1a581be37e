import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { authPerHour, perMinute } from '../../http/limits/limits';
import { storePicture, removeUnwanted } from '../../media/stored-picture';
import { replaceAvatar } from './avatar.command';

const MOST_BYTES = 5 * 1024 * 1024;
const SMALL = 200;
const LARGE = 400;

export const uploadAvatar = endpoint({
  id: 'uploadAvatar',
  returns: 'Where the new avatar can be loaded',
  method: 'post',
  path: '/users/me/avatar',
  summary: 'Set my avatar',
  description: `A JPEG, PNG or WebP image in the field \`file\`, recognised by its content and not by its name. It is cut to a square and stored in ${SMALL}×${SMALL} and ${LARGE}×${LARGE} pixels, without the metadata that cameras write; it replaces the one before.`,
  tag: 'Account',
  auth: 'user',
  // Chosen: nobody changes a picture more often, and decoding is expensive.
  limit: { ...perMinute(100), also: authPerHour(10) },
  idempotent: false,

  upload: { field: 'file', maxBytes: MOST_BYTES },
  success: 200,
  data: z.object({
    avatarUrl: z.url().meta({
      description: 'The URL of the avatar.',
      example: 'https://api.example.com/media/4f2a',
    }),
    thumbnails: z
      .object({
        small: z
          .url()
          .meta({ description: `${SMALL}×${SMALL}`, example: 'https://api.example.com/media/91bc' }),
        large: z
          .url()
          .meta({ description: `${LARGE}×${LARGE}`, example: 'https://api.example.com/media/4f2a' }),
      })
      .describe('The avatar in smaller sizes.'),
  }),
  errors: { INVALID_FILE_TYPE: 400, FILE_TOO_LARGE: 413 },

  async handle(_request, context) {
    const { caller, db, pictures, request } = context;
    const drawings = [
      { side: SMALL, fit: 'square' },
      { side: LARGE, fit: 'square' },
    ] as const;
    const [small, large] = await pictures.draw(request.file, drawings, request.clientGone);
    if (!small || !large) throw new Error('The picture was not drawn.');
    const stored = [await storePicture(context, small), await storePicture(context, large)] as const;
    const [{ url: smallUrl }, { url: largeUrl }] = stored;
    await removeUnwanted(context, await replaceAvatar(db, caller.id, stored, largeUrl));
    return { avatarUrl: largeUrl, thumbnails: { small: smallUrl, large: largeUrl } };
  },
});
