import { z } from 'zod';
import { endpoint } from '../../../http/endpoint';
import { financialPerMinute } from '../../../http/limits/limits';
import { PayoutRequest, REQUEST_ERRORS, requestOwnPayout } from '../../../mlm/payouts/own-payout';
import { PayoutStatusField } from '../../../mlm/payouts/payout.view';

export const withdrawBalance = endpoint({
  id: 'withdrawBalance',
  returns: 'The withdrawal, whose amount is held',
  method: 'post',
  path: '/users/me/balance/withdraw',
  summary: 'Withdraw money from my wallet',
  description:
    'The amount leaves the wallet at once and is held until the money has arrived, or is back. It goes to the saved payout details as they are now; later changes do not redirect it. One withdrawal may be open at a time. KYC level STANDARD is needed. FORBIDDEN with the reason ACCOUNT_BEING_DELETED: the account is to be deleted.',
  tag: 'Account',
  auth: 'user',
  limit: financialPerMinute(3),

  body: PayoutRequest,
  success: 201,
  data: z
    .object({
      withdrawalId: z.uuid().describe('The withdrawal that was requested.'),
      status: PayoutStatusField,
    })
    .meta({ id: 'RequestedWalletWithdrawal' }),
  errors: REQUEST_ERRORS,

  async handle({ body: { amount } }, context) {
    const { id, status } = await requestOwnPayout(context, 'WALLET', amount);
    return { withdrawalId: id, status };
  },
});
