import { z } from 'zod';
import type { HeldDocument } from '../../../db/kyc/document/held-document.reads';
import type { KycEvent } from '../../../db/kyc/history/history.reads';
import type { Verification } from '../../../db/kyc/verification/verification.reads';
import { KYC_CONTENT_TYPES, type PersonalInfo } from '../../../workflows/kyc/kyc.rules';
import { kycVerificationStates } from '../../../workflows/kyc/review/kyc-review.states';
import { documentView, KycDocumentView } from '../kyc/documents/document.view';
import { PersonalInfoView } from '../kyc/personal-info.view';
import {
  KycApprovedLevelField,
  KycDocumentTypeField,
  KycHistoryActionField,
  KycRejectionReasonField,
  KycRequestedLevelField,
} from '../../kyc/kyc-enums.view';

const moment = z.iso.datetime().nullable();

/** An identity verification of the user. Who reviewed it, and their notes, are data of others. */
export const KycExport = z.object({
  id: z.uuid().describe('Identifies the verification; a UUID.'),
  status: z
    .enum(kycVerificationStates.names)
    .meta({
      id: 'KycVerificationStatus',
      description:
        'The progress of one verification. SUPERSEDED: a later approval replaces it. WITHDRAWN: the account is erased.',
    })
    .describe('Where the verification stands.'),
  requestedLevel: KycRequestedLevelField.describe('The level that the user asks for.'),
  level: KycApprovedLevelField.nullable().describe('The approved level; null without an approval.'),
  personalInfo: PersonalInfoView.nullable().describe(
    'What the user states, as the identity document has it.',
  ),
  documents: z
    .array(
      KycDocumentView.extend({
        fileName: z
          .string()
          .describe(
            'The name of the uploaded file, without a folder and with the ending of what it contains.',
          ),
        contentType: z
          .enum(KYC_CONTENT_TYPES)
          .meta({ id: 'KycContentType', description: 'The media type in which a document is kept.' })
          .describe('The media type of the file.'),
        size: z.int().describe('The size of the file in bytes.'),
        removedAt: moment.describe(
          'When the user removed it after a submission, since when it does not count; null if they did not.',
        ),
      }).meta({ id: 'KycDocumentExport' }),
    )
    .describe('The documents of the verification.'),
  requested: z
    .object({
      message: z.string().describe('What the user should do, in the words of the reviewer.'),
      documents: z.array(KycDocumentTypeField).describe('The types of documents that are needed anew.'),
    })
    .nullable()
    .describe('What a reviewer asks the user for; null if nothing.'),
  rejectionReason: KycRejectionReasonField.nullable().describe('Why it was rejected; null if it was not.'),
  canResubmit: z.boolean().describe('True if the user may begin another verification after a rejection.'),
  createdAt: z.iso.datetime(),
  submittedAt: moment.describe('When the documents were handed in; null until then.'),
  reviewedAt: moment.describe('When the documents were decided on; null until then.'),
  expiresAt: moment.describe('When the approval ends; null without one, and for BASIC.'),
  endedAt: moment.describe('When it expired, was withdrawn or was replaced; null until then.'),
  history: z
    .array(
      z.object({
        action: KycHistoryActionField,
        at: z.iso.datetime().describe('When it happened.'),
      }),
    )
    .describe('What happened to the verification, oldest first.'),
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
