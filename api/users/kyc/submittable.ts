import { documentsOf, triesWith, type DocumentRow } from '../../../db/kyc/document/document.reads';
import { previousVerification, type Verification } from '../../../db/kyc/verification/verification.reads';
import { refusal } from '../../../workflows/errors';
import { missingDocuments, neededDocuments, type IdentityDocument } from '../../../workflows/kyc/kyc.rules';
import {
  requireComplete,
  requireResubmittable,
  unreadableStatement,
} from '../../../workflows/kyc/require-submittable';
import { isUsedUp } from '../../../workflows/kyc/submission.rules';
import type { Context } from '../../http/endpoint';
import { openedPersonalInfo } from '../../kyc/opened-personal-info';

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
  await requireTriesLeft(context, verification, { documentType: info.documentType, documents });
  requireComplete(verification.requestedLevel, info, documents, at);
}

async function requireTriesLeft(
  { caller, db, policy }: Context<'user'>,
  { requestedLevel }: Verification,
  { documentType, documents }: { documentType: IdentityDocument; documents: readonly DocumentRow[] },
): Promise<void> {
  const missing = missingDocuments(requestedLevel, documentType, documents);
  const tries = await triesWith(db, caller.id, neededDocuments(requestedLevel, documentType));
  const usedUp = tries
    .filter((type) => (missing.includes(type.type) ? isUsedUp(type, policy) : type.tries >= policy.kycTries))
    .map(({ type }) => type);
  if (usedUp.length > 0)
    throw refusal('MAX_ATTEMPTS', 'These documents cannot be submitted again. Contact support.', {
      documents: usedUp,
    });
}
