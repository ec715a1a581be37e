import { z } from 'zod';
import { ownPayouts } from '../../../db/commerce/payout/payout.reads';
import { paging, windowOf } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { ownPartner } from '../own-partner';
import { ownPayoutView, Payout, PayoutStatusField } from './payout.view';

export const listOwnPayouts = endpoint({
  id: 'listOwnPayouts',
  returns: 'One page of your payouts',
  method: 'get',
  path: '/mlm/payouts/history',
  summary: 'List your payouts',
  description: 'Newest first.',
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  query: z.object({
    ...paging(100),
    status: z.enum([...PayoutStatusField.options, 'ALL']).default('ALL'),
  }),
  success: 200,
  paginated: true,
  data: z.object({ payouts: z.array(Payout).describe('Payouts, newest first.') }),
  errors: { NOT_A_PARTNER: 403 },

  async handle({ query: { page, pageSize, status } }, context) {
    const { caller, db, reply } = context;
    await ownPartner(context);
    const found = await ownPayouts(
      db,
      { userId: caller.id, kind: 'PARTNER', status: status === 'ALL' ? undefined : status },
      windowOf({ page, pageSize }),
    );
    reply.page({ total: found.total, page, pageSize });
    return { payouts: found.payouts.map(ownPayoutView) };
  },
});
