import { FileBytes } from '../../../http/answer/files/file';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { thumbnailNameOf } from './document-name';
import { oneDocument, openPart } from './open-file';

export const showDocumentThumbnail = endpoint({
  id: 'getVerificationThumbnail',
  returns: 'A small image of it',
  method: 'get',
  path: '/admin/kyc/:id/documents/:documentId/thumbnail',
  summary: 'Open the thumbnail of a document',
  description:
    'A small image of it. Each opening is in the audit log. A PDF that could not be drawn has none.',
  tag: 'Administration: identity verification',
  auth: 'admin',
  limit: perMinute(200),

  params: oneDocument,
  success: 200,
  produces: ['image/webp'],
  data: FileBytes,
  errors: { KYC_NOT_FOUND: 404, DOCUMENT_NOT_FOUND: 404, FORBIDDEN: 403 },

  async handle({ params }, context) {
    const { document, bytes } = await openPart(params, 'thumbnail', context);
    return { type: 'image/webp' as const, bytes, fileName: thumbnailNameOf(document) };
  },
});
