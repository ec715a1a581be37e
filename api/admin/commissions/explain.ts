import { z } from 'zod';
import { listedCommission } from '../../../db/partners/commission-list/commission-explanation.reads';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { commissionView } from '../../mlm/commissions/commission.view';
import { CommissionExplanation, explanationOf } from '../../mlm/commissions/explanation.view';
import { idOf } from '../../http/request/ids/id-of';

export const explainAnyCommission = endpoint({
  id: 'explainCommission',
  returns: 'The commission, and how it came about',
  method: 'get',
  path: '/admin/commissions/:id/explain',
  summary: 'Explain a commission',
  description:
    'With what the amount was computed of, what refunds have taken back, every adjustment, and what comes next.',
  tag: 'Administration: partners',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: idOf('commission') }),
  success: 200,
  data: CommissionExplanation,
  errors: { COMMISSION_NOT_FOUND: 404 },

  async handle({ params: { id } }, { db }) {
    const commission = await listedCommission(db, id, null);
    if (!commission) throw refusal('COMMISSION_NOT_FOUND');
    return explanationOf(db, commission, commissionView);
  },
});
