import { z } from 'zod';
import type { DocumentRow } from '../../../../db/kyc/document/document.reads';
import {
  KYC_DOCUMENT_STATUSES,
  KYC_DOCUMENT_TYPES,
  KYC_REJECTIONS,
} from '../../../../workflows/kyc/kyc.rules';

/** A document as its user sees it. */
export const KycDocumentView = z
  .object({
    id: z.uuid().describe('Identifies the document; a UUID.'),
    type: z.enum(KYC_DOCUMENT_TYPES).describe('What kind of thing it is.'),
    status: z.enum(KYC_DOCUMENT_STATUSES),
    reason: z.enum(KYC_REJECTIONS).nullable().describe('Why the document was rejected; null if it was not.'),
    uploadedAt: z.iso.datetime().describe('When the document was uploaded.'),
  })
  .meta({ id: 'KycDocument' });

export const documentView = ({ id, type, status, reason, uploadedAt }: DocumentRow) => ({
  id,
  type,
  status,
  reason,
  uploadedAt: uploadedAt.toISOString(),
});
