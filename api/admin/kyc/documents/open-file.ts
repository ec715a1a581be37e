import { z } from 'zod';
import { openDocument, type DocumentPart } from '../../../../db/kyc/document/document-file';
import { heldDocument, type HeldDocument } from '../../../../db/kyc/document/held-document.reads';
import { Unsealable } from '../../../../db/sealing/cipher';
import { refusal } from '../../../../workflows/errors';
import type { Context } from '../../../http/endpoint';
import { uuid } from '../../../http/request/fields';
import { actorOf } from '../../actor';
import { recordOpening } from '../open.command';
import { verificationOfAnother } from '../verification';
import { openingGate } from '../../../kyc/documents/opening-gate';

/** The path parameters of endpoints about one document of a verification. */
export const oneDocument = z.object({ id: uuid(), documentId: uuid() });

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
  const { caller, db, request } = context;
  const verification = await verificationOfAnother(db, id, caller.id);
  const document = await heldDocument(db, id, documentId);
  const bytes =
    document && (await openingGate.through(() => openOrReport(document, part, context), request.clientGone));
  if (!bytes) throw refusal('DOCUMENT_NOT_FOUND', 'No such document.');
  await recordOpening(db, verification, actorOf(context), { documentId, part });
  return { document, bytes };
}

async function openOrReport(
  document: HeldDocument,
  part: ShownPart,
  { blobs, identity, recordSecurityEvent }: Pick<Context, 'blobs' | 'identity' | 'recordSecurityEvent'>,
): Promise<Buffer | null> {
  try {
    return await openDocument({ blobs, keys: identity.sealing }, document, part);
  } catch (error) {
    if (error instanceof Unsealable)
      recordSecurityEvent({
        event: 'kyc-unreadable',
        outcome: 'failure',
        account: document.userId,
        method: part,
      });
    throw error;
  }
}
