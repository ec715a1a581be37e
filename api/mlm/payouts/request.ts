import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { PayoutRequest, REQUEST_ERRORS, requestOwnPayout } from './own-payout';
import { ownPayoutView, Payout } from './payout.view';

export const requestPayout = endpoint({
  id: 'requestPayout',
  returns: 'The payout, whose amount is held',
  method: 'post',
  path: '/mlm/payouts/request',
  summary: 'Request a payout',
  description:
    'The amount leaves the available balance at once and is held until the money has arrived, or is back. It goes to the saved payout details as they are now; later changes do not redirect it. One payout may be open at a time. KYC level STANDARD is needed. FORBIDDEN: the partner is suspended (reason PARTNER_SUSPENDED), or the account is to be deleted (ACCOUNT_BEING_DELETED). One whose membership has ended may still request what was earned.',
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  body: PayoutRequest,
  success: 201,
  data: Payout,
  errors: { NOT_A_PARTNER: 403, ...REQUEST_ERRORS },

  async handle({ body: { amount } }, context) {
    return ownPayoutView(await requestOwnPayout(context, 'PARTNER', amount));
  },
});
