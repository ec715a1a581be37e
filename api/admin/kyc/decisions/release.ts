import { releaseVerification } from '../../../../workflows/kyc/review/kyc-review.contract';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { oneVerification } from '../verification';
import { decide } from './decide';
import { HeldVerification, heldView } from './held.view';

export const releaseVerificationEndpoint = endpoint({
  id: 'releaseVerification',
  returns: 'The verification, which nobody has now',
  method: 'post',
  path: '/admin/kyc/:id/release',
  summary: 'Put a verification back into the queue',
  description: 'Anybody can take it then. Its due time stays.',
  tag: 'Administration: identity verification',
  auth: 'admin',
  limit: perMinute(200),

  params: oneVerification('UNDER_REVIEW'),
  success: 200,
  data: HeldVerification,
  errors: { KYC_NOT_FOUND: 404, FORBIDDEN: 403, NOT_REVIEWABLE: 400, ALREADY_CLAIMED: 409 },

  handle: async ({ params: { id } }, context) =>
    heldView(await decide(id, { update: releaseVerification, command: {}, note: null }, context)),
});
