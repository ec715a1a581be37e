import { z } from 'zod';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { removeUnwanted } from '../../../media/stored-picture';
import { documentParams } from './own-document';
import { removeDocument } from './remove.command';

export const removeKycDocument = endpoint({
  id: 'deleteKycDocument',
  returns: 'The document that was removed',
  method: 'delete',
  path: '/users/kyc/documents/:id',
  summary: 'Remove a document from my verification',
  description:
    'Until it is submitted, and while a reviewer waits for more. It no longer counts and is no longer listed. A file that was never submitted is deleted; one that was stays readable to reviewers.',
  tag: 'Identity verification',
  auth: 'user',
  limit: perMinute(100),

  params: documentParams,
  success: 200,
  data: z
    .object({
      message: z.string().meta({ example: 'The document is removed.' }),
      documentId: z.uuid().describe('The document that was removed.'),
    })
    .meta({ id: 'RemovedKycDocument' }),
  errors: { DOCUMENT_NOT_FOUND: 404, NOT_EDITABLE: 400 },

  async handle({ params: { id } }, context) {
    await removeUnwanted(context, await removeDocument(context.db, context.caller.id, id));
    return { message: 'The document is removed.', documentId: id };
  },
});
