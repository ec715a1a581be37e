import { z } from 'zod';
import type { HeldDocument } from '../../../../db/kyc/document/held-document.reads';
import { KycDocumentStatusField, KycDocumentTypeField, KycRejectionField } from '../../../kyc/kyc-enums.view';

const moment = z.iso.datetime();

export const ReviewedDocument = z
  .object({
    id: z.uuid().describe('Identifies the document; a UUID.'),
    type: KycDocumentTypeField,
    fileName: z
      .string()
      .describe('The name of the uploaded file, without a folder and with the ending of what it contains.'),
    fileUrl: z
      .string()
      .describe('The URL of the file. It needs the access token, and each opening is in the audit log.'),
    thumbnailUrl: z
      .string()
      .nullable()
      .describe('The URL of a small image of the document; null without one.'),
    status: KycDocumentStatusField,
    reason: KycRejectionField.nullable().describe('Why the document was rejected; null if it was not.'),
    ocrData: z
      .record(z.string(), z.string())
      .nullable()
      .describe('Always null: nothing reads the text of documents.'),
    uploadedAt: moment.describe('When the document was uploaded.'),
    removedAt: moment
      .nullable()
      .describe(
        'When the user removed it after a submission, since when it does not count; null if they did not.',
      ),
  })
  .meta({ id: 'KycReviewedDocument' });

/** A document with the name that its user gave it. */
export type NamedDocument = HeldDocument & { fileName: string };

/** A document of the verification `kycId` as reviewers see it; `publicUrl` is that of this platform. */
export function reviewedDocumentView(
  kycId: string,
  document: NamedDocument,
  publicUrl: string,
): z.output<typeof ReviewedDocument> {
  const address = new URL(`/api/v1/admin/kyc/${kycId}/documents/${document.id}/`, publicUrl).href;
  return {
    id: document.id,
    type: document.type,
    fileName: document.fileName,
    fileUrl: `${address}file`,
    thumbnailUrl: document.thumbnailBlob === null ? null : `${address}thumbnail`,
    status: document.status,
    reason: document.reason,
    // Chosen: nothing reads the text of documents.
    ocrData: null,
    uploadedAt: document.uploadedAt.toISOString(),
    removedAt: document.removedAt?.toISOString() ?? null,
  };
}
