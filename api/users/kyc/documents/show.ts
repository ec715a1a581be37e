import { z } from 'zod';
import { documentFileName } from '../../../../workflows/kyc/document.rules';
import { KYC_CONTENT_TYPES } from '../../../../workflows/kyc/kyc.rules';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { documentView, KycDocumentView } from './document.view';
import { documentParams, requireOwnDocument } from './own-document';

export const showKycDocument = endpoint({
  method: 'get',
  path: '/users/kyc/documents/:id',
  summary: 'One of my documents',
  description:
    'What is known of it. Its content is for reviewers only, and the name that it had is not kept.',
  tag: 'Identity verification',
  auth: 'user',
  limit: perMinute(100),

  params: documentParams,
  success: 200,
  data: z
    .object({
      ...KycDocumentView.shape,
      fileName: z.string().meta({ example: 'passport-9f2a41c7.jpg' }),
      contentType: z.enum(KYC_CONTENT_TYPES),
      size: z.int().meta({ example: 482_113 }),
    })
    .meta({ id: 'KycDocumentDetail' }),
  errors: { DOCUMENT_NOT_FOUND: 404 },

  async handle({ params: { id } }, { caller, db }) {
    const document = await requireOwnDocument(db, caller.id, id);
    const { contentType, bytes } = document;
    return { ...documentView(document), fileName: documentFileName(document), contentType, size: bytes };
  },
});
