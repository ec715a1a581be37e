import { z } from 'zod';
import { DocumentTooHard } from '../../http/body/document-preparer';
import { endpoint } from '../../http/endpoint';
import { authPerHour, generalLimit } from '../../http/limits/limits';
import { KycDocumentView } from '../../users/kyc/documents/document.view';
import { openedPersonalInfo } from '../opened';
import { storeUploaded } from './stored-document';
import { addDocument, countTooHard, requireUploadable } from './upload.command';
import { KycDocumentTypeField } from '../kyc-enums.view';

const MOST_BYTES = 10 * 1024 * 1024;

export const uploadKycDocument = endpoint({
  id: 'uploadKycDocument',
  returns: 'The stored document',
  method: 'post',
  path: '/kyc/documents',
  summary: 'Upload a document',
  description:
    'A JPEG or PNG image or a PDF in the field `file`, recognised by its content and not by its name, for the verification that has begun; after a rejection it begins a new one with what was stated last. Reviewers see an image drawn anew, without the metadata that cameras write; PDFs with scripts or attachments are refused. Front and back are two files of the same type. Files are stored encrypted, as they came.',
  tag: 'Identity verification',
  auth: 'user',
  // Chosen: a verification needs at most six types, and decoding is expensive.
  limit: { ...generalLimit, also: authPerHour(30) },
  idempotent: true,

  upload: { field: 'file', maxBytes: MOST_BYTES, memory: 'documents' },
  body: z.object({ type: KycDocumentTypeField }).meta({ id: 'UploadKycDocumentRequest' }),
  success: 201,
  data: KycDocumentView,
  errors: { INVALID_FILE_TYPE: 400, FILE_TOO_LARGE: 413, MAX_ATTEMPTS: 400, NOT_EDITABLE: 400 },

  async handle({ body: { type } }, context) {
    const { caller, db, documents, policy, request } = context;
    // Before decoding, which costs far more; decided again with the lock.
    await requireUploadable(db, { userId: caller.id, type }, policy);
    const prepared = await documents
      .prepare(request.file, request.clientGone)
      .catch(async (error: unknown) => {
        if (!(error instanceof DocumentTooHard)) throw error;
        await countTooHard(db, { userId: caller.id, type }, policy);
        throw error.refusal;
      });
    return storeUploaded(context, type, prepared, (kept) =>
      addDocument({ ...context, opens: (verification) => openedPersonalInfo(verification, context) }, kept),
    );
  },
});
