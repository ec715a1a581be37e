import { z } from 'zod';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { cancelOwnPayout } from '../../../mlm/payouts/own-payout';
import { ownPayoutView, Payout } from '../../../mlm/payouts/payout.view';
import { idOf } from '../../../http/request/ids/id-of';

export const cancelWalletWithdrawal = endpoint({
  id: 'cancelOwnWalletWithdrawal',
  returns: 'The withdrawal, whose money is back',
  method: 'post',
  path: '/users/me/balance/withdrawals/:id/cancel',
  summary: 'Cancel a withdrawal from my wallet',
  description: 'While nobody has decided on it. The money is in the wallet again.',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ id: idOf('wallet withdrawal', 'PENDING') }),
  success: 200,
  data: Payout,
  errors: { WITHDRAWAL_NOT_FOUND: 404, NOT_CANCELLABLE: 400 },

  async handle({ params: { id } }, context) {
    return ownPayoutView(await cancelOwnPayout(context, 'WALLET', id));
  },
});
