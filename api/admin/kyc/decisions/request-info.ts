import { z } from 'zod';
import { KYC_DOCUMENT_TYPES } from '../../../../workflows/kyc/kyc.rules';
import { requestInformation } from '../../../../workflows/kyc/review/kyc-review.contract';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { text } from '../../../http/request/fields';
import { oneVerification } from '../verification';
import { decide } from './decide';
import { seenSubmission } from './seen-submission';
import { HeldVerification, heldView } from './held.view';
import { KycDocumentTypeField } from '../../../kyc/kyc-enums.view';

export const requestInformationEndpoint = endpoint({
  id: 'requestInformation',
  returns: 'The verification, which waits for its user',
  method: 'post',
  path: '/admin/kyc/:id/request-info',
  summary: 'Ask a user for more',
  description:
    'The user gets an email with the message, changes what was sent and submits again; without an answer, after reminders, the verification is REJECTED after 30 days (INFO_NOT_PROVIDED). The present documents of the named types are rejected, so that new ones are needed.',
  tag: 'Administration: identity verification',
  auth: 'admin',
  limit: perMinute(200),

  params: oneVerification('SUBMITTED', 'UNDER_REVIEW'),
  body: z.object({
    message: text({ min: 1, max: 2_000 }).meta({
      description: 'What the user should do.',
      example: 'Please send a photo of the whole page.',
    }),
    documents: z
      .array(KycDocumentTypeField)
      .max(KYC_DOCUMENT_TYPES.length)
      .optional()
      .meta({ description: 'The types of documents that are needed anew.', example: ['PASSPORT'] }),
    submittedAt: seenSubmission(),
  }),
  example: { submittedAt: undefined },
  success: 200,
  data: HeldVerification,
  errors: { KYC_NOT_FOUND: 404, FORBIDDEN: 403, NOT_REVIEWABLE: 400, ALREADY_CLAIMED: 409 },

  async handle({ params: { id }, body: { message, documents, submittedAt } }, context) {
    const command = { documents: [...new Set(documents)], submittedAt: submittedAt ?? undefined };
    return heldView(await decide(id, { update: requestInformation, command, note: message }, context));
  },
});
