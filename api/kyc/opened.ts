import {
  openDocument,
  openName,
  type DocumentFileRow,
  type DocumentPart,
} from '../../db/kyc/document/document-file';
import type { HeldDocument } from '../../db/kyc/document/held-document.reads';
import { openPersonalInfo } from '../../db/kyc/verification/personal-info';
import type { Verification } from '../../db/kyc/verification/verification.reads';
import type { KycEvent } from '../../db/kyc/history/history.reads';
import { openRequestedMessage } from '../../db/kyc/verification/requested-message';
import { Unsealable } from '../../db/sealing/cipher';
import type { KeyRing } from '../../db/sealing/key-ring';
import { sealPurposes } from '../../db/sealing/purposes';
import { cleanedFileName } from '../../workflows/kyc/document.rules';
import type { KycDocumentType, PersonalInfo } from '../../workflows/kyc/kyc.rules';
import type { Context } from '../http/handler-context';

/**
 * The personal data of a verification; null when they were erased, and when they cannot be opened, so that a lost key
 * does not hide the rest.
 */
export function openedPersonalInfo(
  verification: Pick<Verification, 'id' | 'userId' | 'personalInfo'>,
  { identity, log, recordSecurityEvent }: Pick<Context, 'identity' | 'log' | 'recordSecurityEvent'>,
): PersonalInfo | null {
  try {
    return openPersonalInfo(identity.sealing, verification);
  } catch (error) {
    log.error({ err: error, kycId: verification.id }, 'the personal data of a verification cannot be opened');
    recordSecurityEvent({ event: 'kyc-unreadable', outcome: 'failure', account: verification.userId });
    return null;
  }
}

/**
 * The bytes of a part of a document; null if it has none. Throws Unsealable, which is a security event, if somebody altered
 * them, or a key is lost.
 */
export async function openOrReport(
  document: DocumentFileRow,
  part: DocumentPart,
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

type Opening = Pick<Context, 'identity' | 'log' | 'recordSecurityEvent'>;

/** The last question of a reviewer to the user of a verification; null if there is none, or once it is answered. */
export const openedRequest = (
  verification: Pick<Verification, 'id' | 'userId' | 'requestedMessage' | 'requestedDocuments'>,
  context: Opening,
): { message: string; documents: KycDocumentType[] } | null =>
  verification.requestedMessage && {
    message: readableWords(verification.userId, verification.id, context, (keys) =>
      openRequestedMessage(keys, verification),
    ),
    documents: verification.requestedDocuments ?? [],
  };

/** The same events with the opened words of the people who wrote them. */
export const withNotes = (
  events: readonly KycEvent[],
  userId: string,
  context: Opening,
): (Omit<KycEvent, 'note'> & { note: string | null })[] =>
  events.map((event) => {
    const { id, note: sealed } = event;
    const open = (keys: KeyRing) => sealed && keys.open(sealed, sealPurposes.kycNote(id)).toString();
    return { ...event, note: sealed && readableWords(userId, id, context, open) };
  });

/** Somebody's words about the verification of a user; empty if they cannot be opened. */
function readableWords(
  userId: string,
  id: string,
  { identity, log, recordSecurityEvent }: Opening,
  open: (keys: KeyRing) => string | null,
): string {
  try {
    return open(identity.sealing) ?? '';
  } catch (error) {
    log.error({ err: error, id }, 'the words of a reviewer cannot be opened');
    recordSecurityEvent({ event: 'kyc-unreadable', outcome: 'failure', account: userId });
    return '';
  }
}

/** The same documents with the opened names of their files. */
export const withFileNames = (
  documents: readonly HeldDocument[],
  context: Parameters<typeof openedFileName>[1],
): (HeldDocument & { fileName: string })[] =>
  documents.map((document) => ({ ...document, fileName: openedFileName(document, context) }));

/** The name of an uploaded file; that of its type if it cannot be opened. */
export function openedFileName(
  document: Pick<HeldDocument, 'id' | 'userId' | 'type' | 'contentType' | 'nameSealed'>,
  { identity, log, recordSecurityEvent }: Pick<Context, 'identity' | 'log' | 'recordSecurityEvent'>,
): string {
  try {
    return openName(identity.sealing, document);
  } catch (error) {
    log.error({ err: error, documentId: document.id }, 'the name of a document cannot be opened');
    recordSecurityEvent({ event: 'kyc-unreadable', outcome: 'failure', account: document.userId });
    return cleanedFileName('', document);
  }
}
