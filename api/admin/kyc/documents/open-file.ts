import { z } from 'zod';
import type { DocumentPart } from '../../../../db/kyc/document/document-file';
import { heldDocument, type HeldDocument } from '../../../../db/kyc/document/held-document.reads';
import { refusal } from '../../../../workflows/errors';
import type { Context } from '../../../http/handler-context';
import { actorOf } from '../../actor';
import { recordOpening } from '../open.command';
import { verificationOfAnother } from '../verification';
import { openOrReport } from '../../../kyc/opened';
import { openGated, reviewedDocumentGate } from '../../../users/kyc/documents/opening-gate';
import { idOf } from '../../../http/request/ids/id-of';

/** The path parameters of endpoints about one document of a verification. */
export const oneDocument = z.object({
  id: idOf('verification').describe('The verification: `id` in the queue.'),
  documentId: idOf('identity document').describe(
    'The document: `id` in the `documents` of the verification.',
  ),
});

type ShownPart = Exclude<DocumentPart, 'original'>;

/**
 * A document of a verification with the bytes of one part of it, whose opening is recorded. Refuses with KYC_NOT_FOUND,
 * FORBIDDEN for an own one, and DOCUMENT_NOT_FOUND when the verification does not hold the document, or it has no such
 * part. Throws Unsealable when somebody altered the bytes.
 */
export async function openPart(
  { id, documentId }: z.output<typeof oneDocument>,
  part: ShownPart,
  context: Context<'admin'>,
): Promise<{ document: HeldDocument; bytes: Buffer }> {
  const { caller, db } = context;
  const verification = await verificationOfAnother(db, id, caller.id);
  const document = await heldDocument(db, id, documentId);
  const bytes =
    document && (await openGated(reviewedDocumentGate, context, () => openOrReport(document, part, context)));
  if (!bytes) throw refusal('DOCUMENT_NOT_FOUND');
  await recordOpening(db, verification, actorOf(context), { documentId, part });
  return { document, bytes };
}
