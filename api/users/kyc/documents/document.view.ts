import { z } from 'zod';
import type { DocumentRow } from '../../../../db/kyc/document/document.reads';
import { KycDocumentStatusField, KycDocumentTypeField, KycRejectionField } from '../../../kyc/kyc-enums.view';

/** A document as its user sees it. */
export const KycDocumentView = z
  .object({
    id: z.uuid().describe('Identifies the document; a UUID.'),
    type: KycDocumentTypeField,
    status: KycDocumentStatusField,
    reason: KycRejectionField.nullable().describe('Why the document was rejected; null if it was not.'),
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
