import { z } from 'zod';
import { documentsOf, type DocumentRow } from '../../../db/kyc/document/document.reads';
import { userStanding } from '../../../db/kyc/standing/user-standing.reads';
import {
  approvedVerification,
  lastSubmittedVerification,
  latestVerification,
  type Verification,
} from '../../../db/kyc/verification/verification.reads';
import type { Db } from '../../../db/sql/query';
import { nextSubmissionAt } from '../../../workflows/kyc/resubmission.rules';
import { isOver } from '../../../workflows/kyc/submission.rules';
import type { Context } from '../../http/handler-context';
import { openedRequest } from '../../kyc/opened';
import { accountGone } from '../own-account';
import { documentView, KycDocumentView } from './documents/document.view';
import {
  KycDocumentTypeField,
  KycLevelField,
  KycRejectionField,
  KycRejectionReasonField,
  KycRequestedLevelField,
  KycStatusField,
} from '../../kyc/kyc-enums.view';

const Rejection = z
  .object({
    reason: KycRejectionReasonField,
    documents: z
      .array(z.object({ id: z.uuid(), reason: KycRejectionField }))
      .describe('The documents that were rejected, and why.'),
  })
  .meta({ id: 'KycRejectionDetail' });

/** The verification of a user as they see it; without one, `id` is null. */
export const KycView = z
  .object({
    id: z.uuid().nullable().describe('Identifies the verification; a UUID.'),
    status: KycStatusField,
    level: KycLevelField,
    requestedLevel: KycRequestedLevelField.nullable().describe('The level that the user asks for.'),
    documents: z.array(KycDocumentView).describe('The documents of the verification.'),
    rejection: Rejection.nullable().describe('Why it was rejected; null if it was not.'),
    requested: z
      .object({
        message: z.string().meta({
          description: 'What the user should do, in the words of the reviewer.',
          example: 'Please photograph the whole page.',
        }),
        documents: z.array(KycDocumentTypeField).describe('The types of documents that are needed anew.'),
      })
      .nullable()
      .describe('What a reviewer asks the user for; null if nothing.'),
    canResubmit: z.boolean().describe('True if the user may begin another verification after a rejection.'),
    nextSubmissionAt: z.iso
      .datetime()
      .nullable()
      .describe('When the next submission is possible; null if it is now, or never.'),
    submittedAt: z.iso.datetime().nullable().describe('When the documents were handed in; null until then.'),
    reviewedAt: z.iso.datetime().nullable().describe('When the documents were decided on; null until then.'),
    expiresAt: z.iso
      .datetime()
      .nullable()
      .describe('When the approval ends; null without one, and for BASIC.'),
  })
  .meta({ id: 'Kyc' });

type View = z.output<typeof KycView>;

/** A user's verification as it stands: the latest, or the approval in force where that came to nothing. Refuses with UNAUTHORIZED if the account is gone. */
export async function kycView(context: Context<'user'>): Promise<View> {
  const { db, policy } = context;
  const userId = context.caller.id;
  const user = await userStanding(db, userId);
  if (!user) throw accountGone();
  const latest = await latestVerification(db, userId);
  const approved = await approvedVerification(db, userId);
  const shown = latest && !isOver(latest.status) ? latest : approved;
  const documents = shown ? await documentsOf(db, shown.id) : [];
  return {
    id: shown?.id ?? null,
    status: user.kycStatus,
    level: user.kycLevel,
    requestedLevel: shown?.requestedLevel ?? null,
    documents: documents.map(documentView),
    rejection: rejectionOf(shown, documents),
    requested: shown?.status === 'NEEDS_INFO' ? openedRequest(shown, context) : null,
    canResubmit: shown?.canResubmit ?? true,
    nextSubmissionAt: shown && (await waitOf(db, shown, policy.kycResubmissionHours)),
    submittedAt: shown?.submittedAt?.toISOString() ?? null,
    reviewedAt: shown?.decidedAt?.toISOString() ?? null,
    expiresAt: approved?.expiresAt?.toISOString() ?? null,
  };
}

function rejectionOf(shown: Verification | null, documents: readonly DocumentRow[]): View['rejection'] {
  if (shown?.status !== 'REJECTED' || shown.rejectionReason === null) return null;
  const rejected = documents.flatMap(({ id, reason }) => (reason === null ? [] : [{ id, reason }]));
  return { reason: shown.rejectionReason, documents: rejected };
}

/** The time of the next permitted submission, while it lies ahead. Null also when there will be none. */
async function waitOf(db: Db, shown: Verification, resubmissionHours: number): Promise<string | null> {
  if (!shown.canResubmit || !['REJECTED', 'DOCUMENTS_PENDING'].includes(shown.status)) return null;
  const last = await lastSubmittedVerification(db, shown.userId);
  const next = last && nextSubmissionAt(last, resubmissionHours);
  return next && next > new Date() ? next.toISOString() : null;
}
