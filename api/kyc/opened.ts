import {
  openDocument,
  openName,
  type DocumentFileRow,
  type DocumentPart,
} from '../../db/kyc/document/document-file';
import type { HeldDocument } from '../../db/kyc/document/held-document.reads';
import { openPersonalInfo } from '../../db/kyc/verification/personal-info';
import type { Verification } from '../../db/kyc/verification/verification.reads';
import { Unsealable } from '../../db/sealing/cipher';
import { cleanedFileName } from '../../workflows/kyc/document.rules';
import type { PersonalInfo } from '../../workflows/kyc/kyc.rules';
import type { Context } from '../http/endpoint';

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
