import { z } from 'zod';
import { TextChunks } from '../../http/answer/files/text-stream';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { adminFileGate, commissionFile, FILE_WORDS, gatedFile } from '../../mlm/commissions/commission-file';
import { commissionFilterOf, commissionQuery } from '../../mlm/commissions/commission-query';
import { actorOf } from '../actor';
import { recordCommissionExport } from './export.command';

export const exportAllCommissions = endpoint({
  id: 'exportCommissions',
  returns: 'The commissions as CSV',
  method: 'get',
  path: '/admin/commissions/export',
  summary: 'Export commissions as a file',
  description: `One row per commission, newest first, chosen as in the list. ${FILE_WORDS}`,
  tag: 'Administration: partners',
  auth: 'admin',
  limit: perMinute(5),

  query: z.object(commissionQuery),
  success: 200,
  produces: 'text/csv',
  data: TextChunks,
  errors: {},

  handle({ query }, context) {
    const { db, reply } = context;
    const filter = commissionFilterOf(query);
    reply.download(`commissions-${new Date().toISOString().slice(0, 10)}.csv`);
    const begin = async () => {
      await recordCommissionExport(db, actorOf(context), filter);
      return commissionFile(db, filter);
    };
    return Promise.resolve(gatedFile(adminFileGate, context, begin));
  },
});
