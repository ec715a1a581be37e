import { z } from 'zod';
import { discardBlobs, removeBlobs } from '../../db/blobs/discarded.writes';
import { replaceAvatar, type AvatarPicture } from '../../db/identity/avatar.writes';
import { endpoint, type Context } from '../http/endpoint';
import { perMinute } from '../http/limits';
import { squaresOf } from './picture';

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
    const { caller, db, identity, request } = context;
    const [small, large] = await squaresOf(request.file, [SMALL, LARGE]);
    if (!small || !large) throw new Error('The picture was not drawn.');
    const pictures = [await keep(context, small, SMALL), await keep(context, large, LARGE)] as const;
    const [smallUrl, largeUrl] = pictures.map(
      ({ name }) => new URL(`/media/${name}`, identity.settings.PUBLIC_URL).href,
    ) as [string, string];
    const unwanted = await replaceAvatar(db, caller.id, pictures, largeUrl);
    await removed(context, unwanted);
    return { avatarUrl: largeUrl, thumbnails: { small: smallUrl, large: largeUrl } };
  },
});

/** Should the rest fail, the blob is remembered as nobody's. */
async function keep({ blobs, db }: Context, bytes: Buffer, size: number): Promise<AvatarPicture> {
  const name = await blobs.put(bytes);
  await discardBlobs(db, [name]);
  return { name, size, bytes: bytes.length };
}

/** The new picture stands, so nothing is refused for this; what stays is removed with what else was left behind. */
export async function removed({ blobs, db, log }: Context, names: readonly string[]): Promise<void> {
  try {
    await removeBlobs(db, blobs, names);
  } catch (error) {
    log.warn({ err: error }, 'blobs that nobody needs wait for retention');
  }
}
