import { z } from 'zod';
import { shownStatus } from '../../../../workflows/kyc/submission.rules';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { actorOf } from '../../actor';
import { oneVerification } from '../verification';
import { allowResubmissionOf } from './allow-resubmission.command';
import { KycStatusField } from '../../../kyc/kyc-enums.view';

export const allowResubmission = endpoint({
  id: 'allowResubmission',
  returns: 'The verification, after which another may follow',
  method: 'post',
  path: '/admin/kyc/:id/allow-resubmission',
  summary: 'Let a user submit again',
  description:
    'For a user who has no tries left, or whose verification was rejected for good. Never after SUSPECTED_FRAUD (RESUBMISSION_NOT_ALLOWED).',
  tag: 'Administration: identity verification',
  auth: 'admin',
  limit: perMinute(200),
  atomic: true,

  params: oneVerification('REJECTED'),
  success: 200,
  data: z
    .object({
      id: z.uuid().describe('Identifies the verification; a UUID.'),
      status: KycStatusField,
      canResubmit: z.boolean().describe('True if the user may begin another verification after a rejection.'),
    })
    .meta({ id: 'AllowedResubmission' }),
  errors: { KYC_NOT_FOUND: 404, FORBIDDEN: 403 },

  async handle({ params: { id } }, context) {
    const allowed = await allowResubmissionOf(context.db, id, actorOf(context));
    return { ...allowed, status: shownStatus(allowed.status).status };
  },
});
