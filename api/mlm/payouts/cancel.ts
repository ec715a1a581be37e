import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { ownPartner } from '../own-partner';
import { cancelOwnPayout } from './own-payout';
import { ownPayoutView, Payout } from './payout.view';
import { idOf } from '../../http/request/ids/id-of';

export const cancelOwnPayoutEndpoint = endpoint({
  id: 'cancelOwnPayout',
  returns: 'The payout, whose money is back',
  method: 'post',
  path: '/mlm/payouts/:id/cancel',
  summary: 'Cancel a payout',
  description: 'While nobody has decided on it. The money is available again.',
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ id: idOf('payout', 'PENDING') }),
  success: 200,
  data: Payout,
  errors: { NOT_A_PARTNER: 403, PAYOUT_NOT_FOUND: 404, NOT_CANCELLABLE: 400 },

  async handle({ params: { id } }, context) {
    await ownPartner(context);
    return ownPayoutView(await cancelOwnPayout(context, 'PARTNER', id));
  },
});
