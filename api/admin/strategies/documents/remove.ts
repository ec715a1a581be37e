import { z } from 'zod';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { strategyReference } from '../../../http/request/ids/references';
import { removeUnwanted } from '../../../media/stored-picture';
import { actorOf } from '../../actor';
import { deleteStrategyDocument } from './remove.command';
import { idOf } from '../../../http/request/ids/id-of';
import { demo } from '../../../http/request/ids/demo-ids';

export const removeStrategyDocument = endpoint({
  id: 'deleteStrategyDocument',
  returns: 'The document that was removed',
  method: 'delete',
  path: '/admin/strategies/:id/documents/:documentId',
  summary: 'Remove a document of a strategy',
  description: 'Its file is deleted, too.',
  tag: 'Administration: strategies',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({
    id: strategyReference(demo.editableStrategy),
    documentId: idOf('strategy document').describe('The document: `id` in the `documents` of the strategy.'),
  }),
  success: 200,
  data: z
    .object({
      id: z.uuid(),
      deletedAt: z.iso.datetime().describe('When it was removed.'),
      deletedBy: z.uuid().describe('The administrator who did it.'),
    })
    .meta({ id: 'DeletedStrategyDocument' }),
  errors: { STRATEGY_NOT_FOUND: 404, DOCUMENT_NOT_FOUND: 404 },

  async handle({ params: { id: strategyId, documentId } }, context) {
    const { caller, db } = context;
    const { deletedAt, unusedBlobs } = await deleteStrategyDocument(
      db,
      { strategyId, documentId },
      actorOf(context),
    );
    await removeUnwanted(context, unusedBlobs);
    return { id: documentId, deletedAt: deletedAt.toISOString(), deletedBy: caller.id };
  },
});
