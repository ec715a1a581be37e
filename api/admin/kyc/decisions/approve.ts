import { z } from 'zod';
import { approveVerification } from '../../../../workflows/kyc/review/kyc-review.contract';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { periodEnd, text } from '../../../http/request/fields';
import { oneVerification } from '../verification';
import { decide } from './decide';
import { seenSubmission } from './seen-submission';
import { KycApprovedLevelField } from '../../../kyc/kyc-enums.view';

export const approveVerificationEndpoint = endpoint({
  id: 'approveVerification',
  returns: 'The approval',
  method: 'post',
  path: '/admin/kyc/:id/approve',
  summary: 'Approve a verification',
  description:
    'The user has the level at once and gets an email. An earlier approval is replaced. It needs the documents of that level.',
  tag: 'Administration: identity verification',
  auth: 'admin',
  limit: perMinute(200),

  params: oneVerification('SUBMITTED', 'UNDER_REVIEW'),
  body: z.object({
    level: KycApprovedLevelField.meta({
      description: 'The level to which the identity is verified.',
      example: 'STANDARD',
    }),
    note: text({ max: 2_000 }).nullish().meta({ description: 'For other reviewers only.' }),
    expiresAt: periodEnd()
      .refine((at) => new Date(at) > new Date(), 'must be in the future')
      .nullish()
      .meta({
        description:
          'By default 24 months after the approval, of ENHANCED 12. Never later than the expiry of the identity document.',
        example: '2029-12-31T00:00:00.000Z',
      }),
    submittedAt: seenSubmission(),
  }),
  example: { submittedAt: undefined },
  success: 200,
  data: z
    .object({
      id: z.uuid().describe('Identifies the verification; a UUID.'),
      userId: z.uuid().describe('The user whose identity it is.'),
      status: z.literal('APPROVED'),
      level: KycApprovedLevelField.describe('The level to which the identity is verified.'),
      approvedAt: z.iso.datetime().nullable().describe('When it was approved.'),
      approvedBy: z.uuid().nullable().describe('The administrator who approved it.'),
      expiresAt: z.iso.datetime().nullable().describe('When the approval ends; null for BASIC.'),
    })
    .meta({ id: 'ApprovedVerification' }),
  errors: { KYC_NOT_FOUND: 404, FORBIDDEN: 403, NOT_REVIEWABLE: 400, ALREADY_CLAIMED: 409 },

  async handle({ params: { id }, body: { level, note, expiresAt, submittedAt } }, context) {
    const command = {
      level,
      expiresAt: expiresAt ? new Date(expiresAt).toISOString() : null,
      submittedAt: submittedAt ?? undefined,
    };
    const decided = await decide(id, { update: approveVerification, command, note: note ?? null }, context);
    return {
      id,
      userId: decided.userId,
      status: 'APPROVED' as const,
      level: decided.level ?? level,
      approvedAt: decided.decidedAt?.toISOString() ?? null,
      approvedBy: decided.decidedBy,
      expiresAt: decided.expiresAt?.toISOString() ?? null,
    };
  },
});
