import { z } from 'zod';
import { listedCommission } from '../../../db/partners/commission-list/commission-explanation.reads';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { ownPartner } from '../own-partner';
import { ownCommissionView } from './commission.view';
import { CommissionExplanation, explanationOf } from './explanation.view';
import { idOf } from '../../http/request/ids/id-of';

export const explainCommission = endpoint({
  id: 'explainOwnCommission',
  returns: 'The commission, and how it came about',
  method: 'get',
  path: '/mlm/commissions/:id/explain',
  summary: 'Explain one of your commissions',
  description:
    'With what the amount was computed of, what refunds have taken back, every adjustment, and what comes next.',
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ id: idOf('commission') }),
  success: 200,
  data: CommissionExplanation,
  errors: { NOT_A_PARTNER: 403, COMMISSION_NOT_FOUND: 404 },

  async handle({ params: { id } }, context) {
    const commission = await listedCommission(context.db, id, (await ownPartner(context)).id);
    if (!commission) throw refusal('COMMISSION_NOT_FOUND');
    return explanationOf(context.db, commission, ownCommissionView);
  },
});
