import { z } from 'zod';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { storePicture, removeUnwanted } from '../../../media/stored-picture';
import { actorOf } from '../../actor';
import { oneStrategy } from '../admin-strategy.view';
import { changePicture } from './change.command';

const MOST_BYTES = 10 * 1024 * 1024;
const LARGEST_PX = 1600;

export const setStrategyImage = endpoint({
  id: 'setStrategyImage',
  returns: 'The new image',
  method: 'post',
  path: '/admin/strategies/:id/image',
  summary: 'Set the image of a strategy',
  description: `A JPEG, PNG or WebP image in the field \`file\`, recognised by its content and not by its name. It is kept with at most ${LARGEST_PX} pixels each way, without what cameras write into images, and replaces the one before.`,
  tag: 'Administration: strategies',
  auth: 'admin',
  limit: perMinute(200),
  idempotent: false,

  params: oneStrategy,
  upload: { field: 'file', maxBytes: MOST_BYTES },
  success: 201,
  data: z
    .object({
      id: z.uuid().describe('Identifies the strategy; a UUID.'),
      imageUrl: z.string(),
      updatedAt: z.iso.datetime(),
      updatedBy: z.uuid().describe('The administrator who did it.'),
    })
    .meta({ id: 'StrategyImage' }),
  errors: { STRATEGY_NOT_FOUND: 404, INVALID_FILE_TYPE: 400, FILE_TOO_LARGE: 413 },

  async handle({ params: { id } }, context) {
    const { caller, db, pictures, request } = context;
    const drawings = [{ side: LARGEST_PX, fit: 'inside' }] as const;
    const [drawn] = await pictures.draw(request.file, drawings, request.clientGone);
    if (!drawn) throw new Error('The picture was not drawn.');
    const picture = await storePicture(context, drawn);
    const { at, unusedBlobs } = await changePicture(db, id, picture, actorOf(context));
    await removeUnwanted(context, unusedBlobs);
    return { id, imageUrl: picture.url, updatedAt: at.toISOString(), updatedBy: caller.id };
  },
});
