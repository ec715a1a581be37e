import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { KycView, kycView } from './kyc.view';

export const showKyc = endpoint({
  id: 'getKyc',
  returns: 'The level in force, and how the verification stands',
  method: 'get',
  path: '/users/kyc',
  summary: 'My identity verification',
  description:
    'The level in force, and the verification that stands, with its documents: what is missing, what was decided and why, and from when on it can be submitted again.',
  tag: 'Identity verification',
  auth: 'user',
  limit: perMinute(100),

  success: 200,
  data: KycView,
  errors: {},

  handle: (_request, context) => kycView(context),
});
