import { z } from 'zod';
import { PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import { TextChunks } from '../../http/answer/files/text-stream';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { gatedFile, ownFileGate } from '../commissions/commission-file';
import { ownPartner } from '../own-partner';
import { STATEMENT_FILE_WORDS, statementFile } from './statement-file';
import { month } from './statement.view';

export const exportStatement = endpoint({
  id: 'exportStatement',
  returns: 'The statement as CSV',
  method: 'get',
  path: '/mlm/statements/:month/export',
  summary: 'Export the statement of a month as a file',
  description: STATEMENT_FILE_WORDS,
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(5),

  params: z.object({ month: month() }),
  success: 200,
  produces: 'text/csv',
  data: TextChunks,
  errors: { NOT_A_PARTNER: 403 },

  async handle({ params }, context) {
    const { caller, db, reply } = context;
    await ownPartner(context);
    reply.download(`statement-${params.month}.csv`);
    const owner = { userId: caller.id, currency: PLATFORM_CURRENCY };
    return gatedFile(ownFileGate, context, () => Promise.resolve(statementFile(db, owner, params.month)));
  },
});
