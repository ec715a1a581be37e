import { v7 } from 'uuid';
import { z } from 'zod';
import { refusal } from '../../../../workflows/errors';
import { DocumentTooHard } from '../../../http/body/document-preparer';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { text } from '../../../http/request/fields';
import { DocumentTypeField } from '../../../investment/strategies/strategy-detail.view';
import { storePublicFile } from '../../../media/stored-picture';
import { actorOf } from '../../actor';
import { oneStrategy } from '../admin-strategy.view';
import { addStrategyDocument, MOST_DOCUMENTS } from './add.command';

const MOST_BYTES = 10 * 1024 * 1024;

export const addStrategyDocumentEndpoint = endpoint({
  id: 'addStrategyDocument',
  returns: 'The new document',
  method: 'post',
  path: '/admin/strategies/:id/documents',
  summary: 'Add a document to a strategy',
  description: `A PDF in the field \`file\`, recognised by its content and not by its name, which anybody may then download. PDFs with scripts or attachments are refused. At most ${MOST_DOCUMENTS} a strategy.`,
  tag: 'Administration: strategies',
  auth: 'admin',
  limit: perMinute(200),
  idempotent: false,

  params: oneStrategy,
  upload: { field: 'file', maxBytes: MOST_BYTES, memory: 'documents' },
  body: z
    .object({
      type: DocumentTypeField,
      name: text({ min: 1, max: 200 }).meta({ example: 'Prospectus 2026' }),
    })
    .meta({ id: 'AddStrategyDocumentRequest' }),
  success: 201,
  data: z
    .object({
      id: z.uuid(),
      type: DocumentTypeField,
      name: z.string(),
      url: z.string().describe('The URL of the document.'),
    })
    .meta({ id: 'AdminStrategyDocument' }),
  errors: { STRATEGY_NOT_FOUND: 404, INVALID_FILE_TYPE: 400, FILE_TOO_LARGE: 413 },

  async handle({ params, body: { type, name } }, context) {
    const { db, documents, request } = context;
    const prepared = await documents.prepare(request.file, request.clientGone).catch((error: unknown) => {
      throw error instanceof DocumentTooHard ? error.refusal : error;
    });
    if (prepared.contentType !== 'application/pdf')
      throw refusal('INVALID_FILE_TYPE', 'The file is not a PDF.', { file: ['is not a PDF file'] });
    const { name: mediaName, url } = await storePublicFile(context, prepared.content);
    const document = { id: v7(), type, name, url, mediaName, bytes: prepared.content.length };
    const added = await addStrategyDocument(db, params.id, document, actorOf(context));
    return { id: added.id, type: added.type, name: added.name, url: added.url };
  },
});
