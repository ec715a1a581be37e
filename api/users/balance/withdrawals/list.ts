import { z } from 'zod';
import { ownPayouts } from '../../../../db/commerce/payout/payout.reads';
import { paging, windowOf } from '../../../http/answer/paging';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { ownPayoutView, Payout, PayoutStatusField } from '../../../mlm/payouts/payout.view';

export const listOwnWalletWithdrawals = endpoint({
  id: 'listOwnWalletWithdrawals',
  returns: 'One page of your withdrawals',
  method: 'get',
  path: '/users/me/balance/withdrawals',
  summary: 'List the withdrawals from my wallet',
  description: 'Newest first.',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  query: z.object({
    ...paging(100),
    status: z.enum([...PayoutStatusField.options, 'ALL']).default('ALL'),
  }),
  success: 200,
  paginated: true,
  data: z.object({ withdrawals: z.array(Payout).describe('One page of withdrawals.') }),
  errors: {},

  async handle({ query: { page, pageSize, status } }, { caller, db, reply }) {
    const found = await ownPayouts(
      db,
      { userId: caller.id, kind: 'WALLET', status: status === 'ALL' ? undefined : status },
      windowOf({ page, pageSize }),
    );
    reply.page({ total: found.total, page, pageSize });
    return { withdrawals: found.payouts.map(ownPayoutView) };
  },
});
