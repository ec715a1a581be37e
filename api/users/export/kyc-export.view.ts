import { z } from 'zod';
import type { HeldDocument } from '../../../db/kyc/document/held-document.reads';
import type { KycEvent } from '../../../db/kyc/history/history.reads';
import type { Verification } from '../../../db/kyc/verification/verification.reads';
import {
  KYC_ACTIONS,
  KYC_CONTENT_TYPES,
  KYC_DOCUMENT_TYPES,
  KYC_REJECTION_REASONS,
  REVIEWED_LEVELS,
  REQUESTABLE_LEVELS,
  type PersonalInfo,
} from '../../../workflows/kyc/kyc.rules';
import { kycVerificationStates } from '../../../workflows/kyc/review/kyc-review.states';
import { documentView, KycDocumentView } from '../kyc/documents/document.view';
import { PersonalInfoView } from '../kyc/personal-info.view';

const moment = z.iso.datetime().nullable();

/** An identity verification of the user. Who reviewed it, and their notes, are data of others. */
export const KycExport = z.object({
  id: z.uuid(),
  status: z.enum(kycVerificationStates.names),
  requestedLevel: z.enum(REQUESTABLE_LEVELS),
  level: z.enum(REVIEWED_LEVELS).nullable(),
  personalInfo: PersonalInfoView.nullable(),
  documents: z.array(
    KycDocumentView.extend({
      fileName: z.string(),
      contentType: z.enum(KYC_CONTENT_TYPES),
      size: z.int(),
      removedAt: moment,
    }).meta({ id: 'KycDocumentExport' }),
  ),
  requested: z.object({ message: z.string(), documents: z.array(z.enum(KYC_DOCUMENT_TYPES)) }).nullable(),
  rejectionReason: z.enum(KYC_REJECTION_REASONS).nullable(),
  canResubmit: z.boolean(),
  createdAt: z.iso.datetime(),
  submittedAt: moment,
  reviewedAt: moment,
  expiresAt: moment,
  endedAt: moment,
  history: z.array(z.object({ action: z.enum(KYC_ACTIONS), at: z.iso.datetime() })),
});

interface Exported {
  verification: Verification;
  personalInfo: PersonalInfo | null;
  requested: z.output<typeof KycExport>['requested'];
  /** Also those that the user removed after a submission. */
  documents: readonly (HeldDocument & { fileName: string })[];
  events: readonly Pick<KycEvent, 'action' | 'at'>[];
}

const iso = (date: Date | null): string | null => date && date.toISOString();

export const kycExport = ({
  verification,
  personalInfo,
  requested,
  documents,
  events,
}: Exported): z.output<typeof KycExport> => ({
  id: verification.id,
  status: verification.status,
  requestedLevel: verification.requestedLevel,
  level: verification.level,
  personalInfo,
  documents: documents.map((document) => ({
    ...documentView(document),
    fileName: document.fileName,
    contentType: document.contentType,
    size: document.bytes,
    removedAt: iso(document.removedAt),
  })),
  requested,
  rejectionReason: verification.rejectionReason,
  canResubmit: verification.canResubmit,
  createdAt: verification.createdAt.toISOString(),
  submittedAt: iso(verification.submittedAt),
  reviewedAt: iso(verification.decidedAt),
  expiresAt: iso(verification.expiresAt),
  endedAt: iso(verification.endedAt),
  history: events.map(({ action, at }) => ({ action, at: at.toISOString() })),
});
