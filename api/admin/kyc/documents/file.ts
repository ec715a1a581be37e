import { FileBytes } from '../../../http/answer/files/file';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { fileNameOf } from './document-name';
import { oneDocument, openPart } from './open-file';

export const showDocumentFile = endpoint({
  id: 'getVerificationFile',
  returns: 'The bytes of the document',
  method: 'get',
  path: '/admin/kyc/:id/documents/:documentId/file',
  summary: 'Open a document',
  description:
    'An image is drawn from the uploaded one, without metadata; a PDF is as it was uploaded. Each opening is in the audit log. Images can be shown in a page, a PDF is only saved. The connection is cut after five minutes.',
  tag: 'Administration: identity verification',
  auth: 'admin',
  limit: perMinute(200),

  params: oneDocument,
  success: 200,
  produces: ['application/pdf', 'image/jpeg', 'image/png'],
  data: FileBytes,
  errors: { KYC_NOT_FOUND: 404, DOCUMENT_NOT_FOUND: 404, FORBIDDEN: 403 },

  async handle({ params }, context) {
    const { document, bytes } = await openPart(params, 'file', context);
    return { type: document.fileContentType, bytes, fileName: fileNameOf(document) };
  },
});
