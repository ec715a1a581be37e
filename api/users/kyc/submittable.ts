import { documentsOf, triesWith } from '../../../db/kyc/document/document.reads';
import { previousVerification, type Verification } from '../../../db/kyc/verification/verification.reads';
import { KYC_DOCUMENT_TYPES } from '../../../workflows/kyc/kyc.rules';
import {
  requireComplete,
  requireResubmittable,
  requireTriesLeft,
  unreadableStatement,
} from '../../../workflows/kyc/require-submittable';
import type { Context } from '../../http/handler-context';
import { openedPersonalInfo } from '../../kyc/opened';

/**
 * Refuses before a process starts what it would refuse, under the lock: RESUBMISSION_TOO_SOON, DOCUMENTS_MISSING, and
 * VALIDATION_ERROR (RESUBMISSION_NOT_ALLOWED, KYC_DOCUMENT_EXPIRED, KYC_UNREADABLE). MAX_ATTEMPTS where documents that are
 * needed were rejected too often, or where one is missing of which no more files can be uploaded.
 */
export async function requireSubmittable(
  context: Context<'user'>,
  verification: Verification,
): Promise<void> {
  const { db, policy } = context;
  const at = new Date();
  requireResubmittable(await previousVerification(db, verification), policy, at);
  const info = openedPersonalInfo(verification, context);
  if (!info) throw unreadableStatement();
  const documents = await documentsOf(db, verification.id);
  const tries = await triesWith(db, verification.userId, KYC_DOCUMENT_TYPES);
  requireTriesLeft(verification.requestedLevel, info, documents, tries, policy);
  requireComplete(verification.requestedLevel, info, documents, at);
}
