import { z } from 'zod';
import { rejectVerification } from '../../../../workflows/kyc/review/kyc-review.contract';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { text } from '../../../http/request/fields';
import { oneVerification } from '../verification';
import { decide } from './decide';
import { seenSubmission } from './seen-submission';
import { idOf } from '../../../http/request/ids/id-of';
import { KycRejectionField } from '../../../kyc/kyc-enums.view';

const MOST_DOCUMENTS = 50;

const RejectedDocuments = z
  .array(
    z.object({
      documentId: idOf('identity document').describe(
        'The document: `id` in the `documents` of the verification.',
      ),
      reason: KycRejectionField.describe('Why the verification is rejected.'),
    }),
  )
  .max(MOST_DOCUMENTS)
  .refine(
    (documents) => new Set(documents.map(({ documentId }) => documentId)).size === documents.length,
    'must name each document once',
  );

export const rejectVerificationEndpoint = endpoint({
  id: 'rejectVerification',
  returns: 'The rejection',
  method: 'post',
  path: '/admin/kyc/:id/reject',
  summary: 'Reject a verification',
  description:
    'The user gets an email with the reasons, and may begin another one after 24 hours unless `allowResubmission` is false. SUSPECTED_FRAUD, of a document too, is final.',
  tag: 'Administration: identity verification',
  auth: 'admin',
  limit: perMinute(200),

  params: oneVerification('SUBMITTED', 'UNDER_REVIEW'),
  body: z.object({
    reason: KycRejectionField.meta({
      description: 'Why the verification is rejected.',
      example: 'DOCUMENT_BLURRY',
    }),
    rejectedDocuments: RejectedDocuments.optional().meta({
      description: 'The documents that are at fault, each with its reason.',
    }),
    allowResubmission: z.boolean().optional().meta({ description: 'True by default.', example: true }),
    note: text({ max: 2_000 }).nullish().meta({ description: 'For other reviewers only.' }),
    submittedAt: seenSubmission(),
  }),
  example: { submittedAt: undefined },
  success: 200,
  data: z
    .object({
      id: z.uuid().describe('Identifies the verification; a UUID.'),
      userId: z.uuid().describe('The user whose identity it is.'),
      status: z.literal('REJECTED'),
      reason: KycRejectionField,
      rejectedAt: z.iso.datetime().nullable().describe('When it was rejected.'),
      rejectedBy: z.uuid().nullable().describe('The administrator who rejected it.'),
      canResubmit: z.boolean().describe('True if the user may begin another verification after a rejection.'),
    })
    .meta({ id: 'RejectedVerification' }),
  errors: { KYC_NOT_FOUND: 404, FORBIDDEN: 403, NOT_REVIEWABLE: 400, ALREADY_CLAIMED: 409 },

  async handle({ params: { id }, body }, context) {
    const {
      reason,
      rejectedDocuments: documents = [],
      allowResubmission = true,
      note = null,
      submittedAt,
    } = body;
    const command = { reason, documents, allowResubmission, submittedAt: submittedAt ?? undefined };
    const decided = await decide(id, { update: rejectVerification, command, note }, context);
    return {
      id,
      userId: decided.userId,
      status: 'REJECTED' as const,
      reason,
      rejectedAt: decided.decidedAt?.toISOString() ?? null,
      rejectedBy: decided.decidedBy,
      canResubmit: decided.canResubmit,
    };
  },
});
