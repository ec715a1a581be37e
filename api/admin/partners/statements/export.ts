import { namedPartner } from '../../../../db/partners/membership/partner-name.reads';
import { PLATFORM_CURRENCY } from '../../../../workflows/commerce/money.rules';
import { TextChunks } from '../../../http/answer/files/text-stream';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { adminFileGate, gatedFile } from '../../../mlm/commissions/commission-file';
import { STATEMENT_FILE_WORDS, statementFile } from '../../../mlm/statements/statement-file';
import { month } from '../../../mlm/statements/statement.view';
import { actorOf } from '../../actor';
import { noSuchPartner, onePartner } from '../one-partner';
import { recordStatementExport } from './export.command';

export const exportPartnerStatement = endpoint({
  id: 'exportPartnerStatement',
  returns: 'The statement as CSV',
  method: 'get',
  path: '/admin/partners/:id/statements/:month/export',
  summary: 'Export the statement of a partner as a file',
  description: STATEMENT_FILE_WORDS,
  tag: 'Administration: partners',
  auth: 'admin',
  limit: perMinute(5),

  params: onePartner().extend({ month: month() }),
  success: 200,
  produces: 'text/csv',
  data: TextChunks,
  errors: { PARTNER_NOT_FOUND: 404 },

  async handle({ params }, context) {
    const { db, reply } = context;
    const partner = await namedPartner(db, { partnerId: params.id });
    if (!partner) throw noSuchPartner();
    reply.download(`statement-${partner.referralCode}-${params.month}.csv`);
    const owner = { userId: partner.userId, currency: PLATFORM_CURRENCY };
    return gatedFile(adminFileGate, context, async () => {
      await recordStatementExport(db, actorOf(context), { partnerId: partner.id, month: params.month });
      return statementFile(db, owner, params.month);
    });
  },
});
