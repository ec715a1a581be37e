import { z } from 'zod';
import type { KycEvent } from '../../../db/kyc/history/history.reads';
import type { Duplicate } from '../../../db/kyc/review/duplicates.reads';
import type { ReviewedVerification } from '../../../db/kyc/review/reviewed.reads';
import type { PersonalInfo } from '../../../workflows/kyc/kyc.rules';
import { KYC_ENDINGS, shownStatus } from '../../../workflows/kyc/submission.rules';
import { ProviderReportView } from '../../kyc/provider-report.view';
import { PersonalInfoView } from '../../users/kyc/personal-info.view';
import {
  ReviewedDocument,
  reviewedDocumentView,
  type NamedDocument,
} from './documents/reviewed-document.view';
import {
  KycApprovedLevelField,
  KycDocumentTypeField,
  KycHistoryActionField,
  KycPriorityField,
  KycRejectionReasonField,
  KycRequestedLevelField,
  KycStatusField,
} from '../../kyc/kyc-enums.view';
import { UserStatusField } from '../../users/account.view';

const moment = z.iso.datetime();
const status = KycStatusField;
const ending = z
  .enum(KYC_ENDINGS)
  .meta({
    id: 'KycEnding',
    description:
      'How a verification is over. SUPERSEDED: a later approval replaces it. WITHDRAWN: the account is erased, or it was left unfinished.',
  })
  .nullable()
  .meta({
    description:
      'How it is over: its time is, a later approval replaced it, or it was withdrawn. Null: it is not.',
  });

const HistoryEvent = z
  .object({
    action: KycHistoryActionField,
    performedBy: z.uuid().nullable().describe('Who did it; null for the platform itself.'),
    performedByEmail: z
      .string()
      .nullable()
      .describe('The email address of `performedBy`; null for the platform itself.'),
    note: z.string().nullable().describe('The words of the reviewer; null without any.'),
    timestamp: moment.describe('When it happened.'),
  })
  .meta({ id: 'KycHistoryEvent' });

const DuplicateSignal = z
  .object({
    kind: z.enum(['DOCUMENT_NUMBER', 'FILE']).describe('The part that is the same.'),
    kycId: z.uuid().describe('The verification of the other account.'),
    userId: z.uuid().describe('The other account.'),
    email: z.string().nullable().meta({ description: 'Null if the account is erased.' }),
    status: status.describe('Where the verification of the other account stands.'),
    ending,
    at: moment.describe('When that verification began, or that file was uploaded.'),
  })
  .meta({ id: 'KycDuplicate' });

export const KycDetail = z
  .object({
    id: z.uuid().describe('Identifies the verification; a UUID.'),
    user: z
      .object({
        id: z.uuid(),
        email: z.string(),
        name: z.string(),
        phone: z.string().nullable(),
        status: UserStatusField,
        createdAt: moment,
      })
      .describe('The user whose identity it is.'),
    status,
    ending,
    endedAt: moment.nullable().meta({ description: 'When it ended.' }),
    level: KycApprovedLevelField.nullable().describe('The approved level; null without an approval.'),
    requestedLevel: KycRequestedLevelField.describe('The level that the user asks for.'),
    priority: KycPriorityField,
    assignedTo: z.uuid().nullable().describe('The reviewer who has claimed it; null while nobody has.'),
    assignedToEmail: z
      .string()
      .nullable()
      .describe('The email address of `assignedTo`; null while nobody has claimed it.'),
    personalInfo: PersonalInfoView.nullable().describe(
      'What the user states; null once the account is erased, or when it cannot be read.',
    ),
    documents: z.array(ReviewedDocument).describe('The documents of the verification.'),
    signals: z
      .object({
        duplicates: z
          .array(DuplicateSignal)
          .describe('The same number or file under other accounts of the region, newest first; at most 20.'),
      })
      .describe('What a reviewer should look at.'),
    history: z.array(HistoryEvent).describe('What happened to the verification, oldest first.'),
    providerReports: z
      .array(ProviderReportView)
      .describe('What providers of investments have said of the user, newest first.'),
    requested: z
      .object({
        message: z.string().describe('What the user should do, in the words of the reviewer.'),
        documents: z.array(KycDocumentTypeField).describe('The types of documents that are needed anew.'),
      })
      .nullable()
      .describe('What a reviewer asks the user for; null if nothing.'),
    submittedAt: moment.nullable().describe('When the documents were handed in; null until then.'),
    dueAt: moment
      .nullable()
      .describe('When the review should be over, or the user should have answered; null once it is decided.'),
    reviewedAt: moment.nullable().describe('When the documents were decided on; null until then.'),
    reviewedBy: z
      .uuid()
      .nullable()
      .describe('The reviewer who decided; null until then, and where the user did not answer in time.'),
    reviewedByEmail: z.string().nullable().describe('The email address of `reviewedBy`; null until then.'),
    rejectionReason: KycRejectionReasonField.nullable().describe('Why it was rejected; null if it was not.'),
    canResubmit: z.boolean().describe('True if the user may begin another verification after a rejection.'),
    expiresAt: moment.nullable().describe('When the approval ends; null without one, and for BASIC.'),
  })
  .meta({ id: 'KycDetail' });

type Detail = z.output<typeof KycDetail>;

interface Parts {
  documents: readonly NamedDocument[];
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
    documents: parts.documents.map((document) => reviewedDocumentView(id, document, publicUrl)),
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

const duplicateView = ({ kind, kycId, userId, email, status, at }: Duplicate) => ({
  ...{ kind, kycId, userId, email, ...shownStatus(status) },
  at: at.toISOString(),
});

const eventView = ({ action, performedBy, performedEmail, note, at }: Parts['history'][number]) => ({
  ...{ action, performedBy, performedByEmail: performedEmail, note },
  timestamp: at.toISOString(),
});
