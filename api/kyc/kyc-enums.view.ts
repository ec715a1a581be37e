import { z } from 'zod';
import {
  KYC_ACTIONS,
  KYC_DOCUMENT_STATUSES,
  KYC_DOCUMENT_TYPES,
  KYC_LEVELS,
  KYC_PRIORITIES,
  KYC_REJECTIONS,
  KYC_REJECTION_REASONS,
  KYC_STATUSES,
  REQUESTABLE_LEVELS,
  REVIEWED_LEVELS,
} from '../../workflows/kyc/kyc.rules';

export const KycApprovedLevelField = z
  .enum(REVIEWED_LEVELS)
  .meta({ id: 'KycApprovedLevel', description: 'A level that a reviewer can give.' });
export const KycDocumentStatusField = z.enum(KYC_DOCUMENT_STATUSES).meta({
  id: 'KycDocumentStatus',
  description: 'Whether a reviewer has accepted or rejected the document.',
});
export const KycDocumentTypeField = z
  .enum(KYC_DOCUMENT_TYPES)
  .meta({ id: 'KycDocumentType', description: 'The kind of document.' });
export const KycHistoryActionField = z
  .enum(KYC_ACTIONS)
  .meta({ id: 'KycHistoryAction', description: 'An event in the history of a verification.' });
export const KycLevelField = z
  .enum(KYC_LEVELS)
  .meta({ id: 'KycLevel', description: 'The level to which an identity is verified, in ascending order.' });
export const KycPriorityField = z.enum(KYC_PRIORITIES).meta({
  id: 'KycPriority',
  description: 'The urgency of a review. HIGH: ENHANCED is asked for, or it is overdue.',
});
export const KycRejectionField = z.enum(KYC_REJECTIONS).meta({
  id: 'KycRejection',
  description: 'Why a verification or a document is rejected. SUSPECTED_FRAUD is final.',
});
export const KycRejectionReasonField = z.enum(KYC_REJECTION_REASONS).meta({
  id: 'KycRejectionReason',
  description:
    'Why a verification is rejected. INFO_NOT_PROVIDED: its user did not answer a reviewer in time.',
});
export const KycRequestedLevelField = z
  .enum(REQUESTABLE_LEVELS)
  .meta({ id: 'KycRequestedLevel', description: 'A level that a user can ask for.' });
export const KycStatusField = z
  .enum(KYC_STATUSES)
  .meta({ id: 'KycStatus', description: 'The progress of the verification of an identity.' });
