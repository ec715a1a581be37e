import { z } from 'zod';
import {
  commissionTotals,
  listedCommissions,
} from '../../../db/partners/commission-list/commission-list.reads';
import { paging, windowOf } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { ownPartner } from '../own-partner';
import { Commission, ownCommissionView } from './commission.view';
import { commissionFilterOf, ownCommissionQuery } from './commission-query';

export const listCommissions = endpoint({
  id: 'listCommissions',
  returns: 'One page of your commissions',
  method: 'get',
  path: '/mlm/commissions',
  summary: 'List your commissions',
  description:
    'Newest first. What a refund takes back is a commission of its own with amounts below zero, and `reversalOf` names the other. Pages end at 100,000 commissions.',
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  query: z.object({ ...paging(100), ...ownCommissionQuery }),
  success: 200,
  paginated: true,
  data: z.object({ commissions: z.array(Commission).describe('One page of commissions.') }),
  errors: { NOT_A_PARTNER: 403 },

  async handle({ query }, context) {
    const { db, reply } = context;
    const { page, pageSize } = query;
    const filter = { ...commissionFilterOf(query), partnerId: (await ownPartner(context)).id };
    const [{ total }, found] = await Promise.all([
      commissionTotals(db, filter),
      listedCommissions(db, filter, {
        sortBy: 'createdAt',
        sortOrder: 'desc',
        ...windowOf({ page, pageSize }),
      }),
    ]);
    reply.page({ total, page, pageSize });
    return { commissions: found.map(ownCommissionView) };
  },
});
