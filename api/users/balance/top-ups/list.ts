import { z } from 'zod';
import { ownTopUps } from '../../../../db/ledger/top-up/top-up-list.reads';
import { paging, windowOf } from '../../../http/answer/paging';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { TopUpStatusField, TopUpView, topUpView } from './top-up.view';

export const listTopUps = endpoint({
  id: 'listTopUps',
  returns: 'One page of your top-ups',
  method: 'get',
  path: '/users/me/balance/top-ups',
  summary: 'List my top-ups',
  description: 'Newest first.',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  query: z.object({
    ...paging(50),
    status: z.enum([...TopUpStatusField.options, 'ALL']).default('ALL'),
  }),
  success: 200,
  paginated: true,
  data: z.object({ topUps: z.array(TopUpView).describe('Top-ups of the wallet, newest first.') }),
  errors: {},

  async handle({ query: { page, pageSize, status } }, { db, caller, reply }) {
    const now = new Date();
    const found = await ownTopUps(
      db,
      caller.id,
      status === 'ALL' ? null : status,
      windowOf({ page, pageSize }),
    );
    reply.page({ total: found.total, page, pageSize });
    return { topUps: found.topUps.map((topUp) => topUpView(topUp, now)) };
  },
});
