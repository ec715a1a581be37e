import { z } from 'zod';
import type { UserDetail } from '../../../db/identity/user-administration/user-detail.reads';
import type { DocumentRow } from '../../../db/kyc/document/document.reads';
import type { VerificationOfUser } from '../../../db/kyc/standing/of-user.reads';
import {
  KycDocumentStatusField,
  KycDocumentTypeField,
  KycLevelField,
  KycStatusField,
} from '../../kyc/kyc-enums.view';

const moment = z.iso.datetime();

/** The verification of a user's identity, in short. */
export const UserVerification = z.object({
  id: z.uuid().nullable().describe('Identifies the verification; a UUID.'),
  status: KycStatusField,
  level: KycLevelField,
  submittedAt: moment.nullable().describe('When the documents were handed in; null until then.'),
  reviewedAt: moment.nullable().describe('When the documents were decided on; null until then.'),
  reviewedBy: z.uuid().nullable().describe('The administrator who decided; null until then.'),
  expiresAt: moment.nullable().describe('When the verification has to be renewed; null if it need not be.'),
  documents: z
    .array(
      z.object({
        id: z.uuid(),
        type: KycDocumentTypeField,
        status: KycDocumentStatusField,
        uploadedAt: moment.describe('When the document was uploaded.'),
      }),
    )
    .describe('The documents of the verification.'),
});

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export interface VerificationParts {
  verification: VerificationOfUser | null;
  documents: readonly DocumentRow[];
}

/** The latest verification; null without one, unless the account has a status without it, as some demo accounts have. */
export function userVerificationView(
  { kycStatus, kycLevel }: UserDetail,
  { verification, documents }: VerificationParts,
): z.output<typeof UserVerification> | null {
  if (!verification && kycStatus === 'NOT_STARTED') return null;
  return {
    id: verification?.id ?? null,
    status: kycStatus,
    level: kycLevel,
    submittedAt: iso(verification?.submittedAt ?? null),
    reviewedAt: iso(verification?.decidedAt ?? null),
    reviewedBy: verification?.decidedBy ?? null,
    expiresAt: iso(verification?.approvedUntil ?? null),
    documents: documents.map(({ id, type, status, uploadedAt }) => ({
      ...{ id, type, status },
      uploadedAt: uploadedAt.toISOString(),
    })),
  };
}
