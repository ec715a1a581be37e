import { z } from 'zod';
import type { HeldDocument } from '../../../db/kyc/document/held-document.reads';
import type { KycEvent } from '../../../db/kyc/history/history.reads';
import type { Duplicate } from '../../../db/kyc/review/duplicates.reads';
import type { ReviewedVerification } from '../../../db/kyc/review/reviewed.reads';
import {
  KYC_ACTIONS,
  KYC_DOCUMENT_STATUSES,
  KYC_DOCUMENT_TYPES,
  KYC_PRIORITIES,
  KYC_REJECTIONS,
  KYC_REJECTION_REASONS,
  KYC_STATUSES,
  REVIEWED_LEVELS,
  REQUESTABLE_LEVELS,
  type PersonalInfo,
} from '../../../workflows/kyc/kyc.rules';
import { USER_STATUSES } from '../../../workflows/identity/user/user.rules';
import { KYC_ENDINGS, shownStatus } from '../../../workflows/kyc/submission.rules';
import { ProviderReportView } from '../../kyc/provider-report.view';
import { PersonalInfoView } from '../../users/kyc/personal-info.view';

const moment = z.iso.datetime();
const status = z.enum(KYC_STATUSES);
const ending = z.enum(KYC_ENDINGS).nullable().meta({
  description:
    'How it is over: its time is, a later approval replaced it, or it was withdrawn. Null: it is not.',
});

const ReviewedDocument = z
  .object({
    id: z.uuid(),
    type: z.enum(KYC_DOCUMENT_TYPES),
    fileName: z.string(),
    fileUrl: z.string(),
    thumbnailUrl: z.string().nullable(),
    status: z.enum(KYC_DOCUMENT_STATUSES),
    reason: z.enum(KYC_REJECTIONS).nullable(),
    ocrData: z.record(z.string(), z.string()).nullable(),
    uploadedAt: moment,
    removedAt: moment.nullable(),
  })
  .meta({ id: 'KycReviewedDocument' });

const HistoryEvent = z
  .object({
    action: z.enum(KYC_ACTIONS),
    performedBy: z.uuid().nullable(),
    performedByEmail: z.string().nullable(),
    note: z.string().nullable(),
    timestamp: moment,
  })
  .meta({ id: 'KycHistoryEvent' });

const DuplicateSignal = z
  .object({
    kind: z.enum(['DOCUMENT_NUMBER', 'FILE']),
    kycId: z.uuid(),
    userId: z.uuid(),
    email: z.string().nullable().meta({ description: 'Null if the account is erased.' }),
    status,
    ending,
    at: moment,
  })
  .meta({ id: 'KycDuplicate' });

export const KycDetail = z
  .object({
    id: z.uuid(),
    user: z.object({
      id: z.uuid(),
      email: z.string(),
      name: z.string(),
      phone: z.string().nullable(),
      status: z.enum(USER_STATUSES),
      createdAt: moment,
    }),
    status,
    ending,
    endedAt: moment.nullable().meta({ description: 'When it ended.' }),
    level: z.enum(REVIEWED_LEVELS).nullable(),
    requestedLevel: z.enum(REQUESTABLE_LEVELS),
    priority: z.enum(KYC_PRIORITIES),
    assignedTo: z.uuid().nullable(),
    assignedToEmail: z.string().nullable(),
    personalInfo: PersonalInfoView.nullable(),
    documents: z.array(ReviewedDocument),
    signals: z.object({ duplicates: z.array(DuplicateSignal) }),
    history: z.array(HistoryEvent),
    providerReports: z.array(ProviderReportView),
    requested: z.object({ message: z.string(), documents: z.array(z.enum(KYC_DOCUMENT_TYPES)) }).nullable(),
    submittedAt: moment.nullable(),
    dueAt: moment.nullable(),
    reviewedAt: moment.nullable(),
    reviewedBy: z.uuid().nullable(),
    reviewedByEmail: z.string().nullable(),
    rejectionReason: z.enum(KYC_REJECTION_REASONS).nullable(),
    canResubmit: z.boolean(),
    expiresAt: moment.nullable(),
  })
  .meta({ id: 'KycDetail' });

type Detail = z.output<typeof KycDetail>;

interface Parts {
  documents: readonly (HeldDocument & { fileName: string })[];
  history: readonly (Omit<KycEvent, 'note'> & { note: string | null })[];
  requested: Detail['requested'];
  personalInfo: PersonalInfo | null;
  duplicates: readonly Duplicate[];
  providerReports: Detail['providerReports'];
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export function kycDetailView(found: ReviewedVerification, parts: Parts, publicUrl: string): Detail {
  const { id, user } = found;
  return {
    id,
    user: {
      id: user.id,
      email: user.email,
      name: user.name,
      phone: user.phone,
      status: user.status,
      createdAt: new Date(user.createdAt).toISOString(),
    },
    ...shownStatus(found.status),
    endedAt: iso(found.endedAt),
    level: found.level,
    requestedLevel: found.requestedLevel,
    priority: found.priority,
    assignedTo: found.assignedTo,
    assignedToEmail: found.assignedEmail,
    personalInfo: parts.personalInfo,
    documents: parts.documents.map((document) => documentView(id, document, publicUrl)),
    signals: { duplicates: parts.duplicates.map(duplicateView) },
    history: parts.history.map(eventView),
    providerReports: parts.providerReports,
    requested: parts.requested,
    submittedAt: iso(found.submittedAt),
    dueAt: iso(found.dueAt),
    reviewedAt: iso(found.decidedAt),
    reviewedBy: found.decidedBy,
    reviewedByEmail: found.decidedEmail,
    rejectionReason: found.rejectionReason,
    canResubmit: found.canResubmit,
    expiresAt: iso(found.expiresAt),
  };
}

function documentView(
  kycId: string,
  document: Parts['documents'][number],
  publicUrl: string,
): Detail['documents'][number] {
  const address = new URL(`/api/v1/admin/kyc/${kycId}/documents/${document.id}/`, publicUrl).href;
  return {
    id: document.id,
    type: document.type,
    fileName: document.fileName,
    fileUrl: `${address}file`,
    thumbnailUrl: document.thumbnailBlob === null ? null : `${address}thumbnail`,
    status: document.status,
    reason: document.reason,
    // Chosen: nothing reads the text of documents.
    ocrData: null,
    uploadedAt: document.uploadedAt.toISOString(),
    removedAt: iso(document.removedAt),
  };
}

const duplicateView = ({ kind, kycId, userId, email, status, at }: Duplicate) => ({
  ...{ kind, kycId, userId, email, ...shownStatus(status) },
  at: at.toISOString(),
});

const eventView = ({ action, performedBy, performedEmail, note, at }: Parts['history'][number]) => ({
  ...{ action, performedBy, performedByEmail: performedEmail, note },
  timestamp: at.toISOString(),
});
