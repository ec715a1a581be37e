import { z } from 'zod';
import { PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { ownPartner } from '../own-partner';
import { sumsGate } from '../commissions/sums-gate';
import { CommissionStatement, month, statementView } from './statement.view';

export const showStatement = endpoint({
  id: 'getStatement',
  returns: 'The statement of the month',
  method: 'get',
  path: '/mlm/statements/:month',
  summary: 'Show the statement of a month',
  description:
    'What was yours at the beginning, pending, available and held for a payout together, what came and went, and what was yours at the end. A commission that becomes available, and a request for a payout, change none of it.',
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ month: month() }),
  success: 200,
  data: CommissionStatement,
  errors: { NOT_A_PARTNER: 403 },

  async handle({ params }, context) {
    await ownPartner(context);
    const owner = { userId: context.caller.id, currency: PLATFORM_CURRENCY };
    const { db, request } = context;
    return sumsGate.through(() => statementView(db, owner, params.month), request.clientGone);
  },
});
