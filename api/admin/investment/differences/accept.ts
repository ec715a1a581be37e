import { z } from 'zod';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { text } from '../../../http/request/fields';
import { actorOf } from '../../actor';
import { acceptOpenDifference } from './accept.command';
import { differenceView, InvestmentDifferenceView, oneDifference } from './difference.view';

const AcceptDifferenceRequest = z
  .object({
    reason: text({ min: 3, max: 500 }).meta({
      description: 'For the list and the audit trail.',
      example: 'The provider reported it by mistake and cannot take it back.',
    }),
  })
  .meta({ id: 'AcceptDifferenceRequest' });

export const acceptInvestmentDifference = endpoint({
  id: 'acceptInvestmentDifference',
  returns: 'The accepted difference',
  method: 'post',
  path: '/admin/investment/differences/:id/accept',
  summary: 'Accept a difference with an investment provider',
  description:
    'For one that stays as it is, such as an investment that was reported by mistake. It is left out of figures and alerts, and opens again if what it comes to changes. It answers the amounts that were accepted. Nobody can accept one about a participation of their own. One that is accepted already keeps its reason, and one that is resolved stays so.',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  params: oneDifference,
  body: AcceptDifferenceRequest,
  success: 200,
  data: InvestmentDifferenceView,
  errors: { DIFFERENCE_NOT_FOUND: 404, FORBIDDEN: 403 },

  async handle({ params: { id }, body: { reason } }, { caller, db, request }) {
    const by = { ...actorOf({ caller, request }), actorId: caller.id };
    return differenceView(await acceptOpenDifference(db, { id, reason }, by));
  },
});
