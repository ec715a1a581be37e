import { namedPartner } from '../../../../db/partners/membership/partner-name.reads';
import { PLATFORM_CURRENCY } from '../../../../workflows/commerce/money.rules';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { sumsGate } from '../../../mlm/commissions/sums-gate';
import { CommissionStatement, month, statementView } from '../../../mlm/statements/statement.view';
import { noSuchPartner, onePartner } from '../one-partner';

export const showPartnerStatement = endpoint({
  id: 'getPartnerStatement',
  returns: 'The statement of the month',
  method: 'get',
  path: '/admin/partners/:id/statements/:month',
  summary: 'Show the statement of a partner',
  description: 'The statement of a month as the partner sees it, whatever the status of the membership.',
  tag: 'Administration: partners',
  auth: 'admin',
  limit: perMinute(200),

  params: onePartner().extend({ month: month() }),
  success: 200,
  data: CommissionStatement,
  errors: { PARTNER_NOT_FOUND: 404 },

  async handle({ params }, { db, request }) {
    const partner = await namedPartner(db, { partnerId: params.id });
    if (!partner) throw noSuchPartner();
    const owner = { userId: partner.userId, currency: PLATFORM_CURRENCY };
    return sumsGate.through(() => statementView(db, owner, params.month), request.clientGone);
  },
});
