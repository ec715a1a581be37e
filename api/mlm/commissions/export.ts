import { z } from 'zod';
import { TextChunks } from '../../http/answer/files/text-stream';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { ownPartner } from '../own-partner';
import { commissionFile, FILE_WORDS, gatedFile, ownFileGate } from './commission-file';
import { commissionFilterOf, ownCommissionQuery } from './commission-query';

export const exportCommissions = endpoint({
  id: 'exportOwnCommissions',
  returns: 'Your commissions as CSV',
  method: 'get',
  path: '/mlm/commissions/export',
  summary: 'Export your commissions as a file',
  description: `One row per commission, newest first, chosen as in the list. ${FILE_WORDS}`,
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(5),

  query: z.object(ownCommissionQuery),
  success: 200,
  produces: 'text/csv',
  data: TextChunks,
  errors: { NOT_A_PARTNER: 403 },

  async handle({ query }, context) {
    const { db, reply } = context;
    const filter = { ...commissionFilterOf(query), partnerId: (await ownPartner(context)).id };
    reply.download(`commissions-${new Date().toISOString().slice(0, 10)}.csv`);
    return gatedFile(ownFileGate, context, () => Promise.resolve(commissionFile(db, filter)));
  },
});
