import { openedFileName, openOrReport } from '../../../kyc/opened';
import { openGated, ownDocumentGate } from './opening-gate';
import { FileBytes } from '../../../http/answer/files/file';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { documentParams, noSuchDocument, requireOwnDocument } from './own-document';

export const showKycDocument = endpoint({
  id: 'getKycDocument',
  returns: 'The document',
  method: 'get',
  path: '/users/kyc/documents/:id',
  summary: 'Download one of my documents',
  description:
    'Exactly the bytes that were uploaded, under the name that they had. They are only saved, never shown. The connection is cut after five minutes.',
  tag: 'Identity verification',
  auth: 'user',
  limit: perMinute(100),

  params: documentParams,
  success: 200,
  produces: ['application/pdf', 'image/jpeg', 'image/png'],
  data: FileBytes,
  errors: { DOCUMENT_NOT_FOUND: 404 },

  async handle({ params: { id } }, context) {
    const { caller, db } = context;
    const document = await requireOwnDocument(db, caller.id, id);
    const bytes = await openGated(ownDocumentGate, context, () =>
      openOrReport(document, 'original', context),
    );
    if (!bytes) throw noSuchDocument();
    const fileName = openedFileName(document, context);
    return { type: document.contentType, bytes, fileName, isAttachment: true };
  },
});
