import { z } from 'zod';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { removeUnwanted } from '../../../media/stored-picture';
import { actorOf } from '../../actor';
import { oneStrategy } from '../admin-strategy.view';
import { changePicture } from './change.command';

export const removeStrategyImage = endpoint({
  id: 'deleteStrategyImage',
  returns: 'The strategy that has no image any more',
  method: 'delete',
  path: '/admin/strategies/:id/image',
  summary: 'Remove the image of a strategy',
  description: 'Its file is deleted, too.',
  tag: 'Administration: strategies',
  auth: 'admin',
  limit: perMinute(200),

  params: oneStrategy,
  success: 200,
  data: z
    .object({
      id: z.uuid().describe('Identifies the strategy; a UUID.'),
      deletedAt: z.iso.datetime().describe('When it was removed.'),
      deletedBy: z.uuid().describe('The administrator who did it.'),
    })
    .meta({ id: 'DeletedStrategyImage' }),
  errors: { STRATEGY_NOT_FOUND: 404, IMAGE_NOT_FOUND: 404 },

  async handle({ params: { id } }, context) {
    const { caller, db } = context;
    const { at, unusedBlobs } = await changePicture(db, id, null, actorOf(context));
    await removeUnwanted(context, unusedBlobs);
    return { id, deletedAt: at.toISOString(), deletedBy: caller.id };
  },
});
