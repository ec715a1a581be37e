import { claimVerification } from '../../../../workflows/kyc/review/kyc-review.contract';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { oneVerification } from '../verification';
import { decide } from './decide';
import { HeldVerification, heldView } from './held.view';

export const claimVerificationEndpoint = endpoint({
  id: 'claimVerification',
  returns: 'The verification, which the caller has now',
  method: 'post',
  path: '/admin/kyc/:id/claim',
  summary: 'Take a verification to review',
  description:
    'It leaves the queue of the others for eight business hours. Only its reviewer then decides, or a SUPER_ADMIN, who may also claim it over; `details.assignedTo` of ALREADY_CLAIMED says who that is.',
  tag: 'Administration: identity verification',
  auth: 'admin',
  limit: perMinute(200),

  params: oneVerification('SUBMITTED'),
  success: 200,
  data: HeldVerification,
  errors: { KYC_NOT_FOUND: 404, FORBIDDEN: 403, NOT_REVIEWABLE: 400, ALREADY_CLAIMED: 409 },

  handle: async ({ params: { id } }, context) =>
    heldView(await decide(id, { update: claimVerification, command: {}, note: null }, context)),
});
