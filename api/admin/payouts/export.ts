import { z } from 'zod';
import { TextChunks } from '../../http/answer/files/text-stream';
import { endpoint, type Endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { adminFileGate, gatedFile } from '../../mlm/commissions/commission-file';
import { actorOf } from '../actor';
import type { PayoutDesk } from './desk';
import { PAYOUT_COLUMNS, payoutFile } from './payout-file';
import { payoutFilterOf, payoutQuery } from './payout-query';
import { recordPayoutExport } from './reading.command';

const COLUMNS = PAYOUT_COLUMNS.map((column) => `\`${column}\``).join(', ');

export const exportPayouts = (desk: PayoutDesk): Endpoint => {
  const { kind, tag, noun, name } = desk;
  return endpoint({
    ...desk.export,
    summary: `Export ${name} as a file`,
    description: `CSV in UTF-8 with a byte order mark, one row per ${noun}, newest first, chosen as in the list. The columns are ${COLUMNS}. A text that a spreadsheet could take for a formula has an apostrophe before it. The connection is cut after an hour.`,
    tag,
    auth: 'admin',
    limit: perMinute(5),

    query: z.object(payoutQuery),
    success: 200,
    produces: 'text/csv',
    data: TextChunks,
    errors: {},

    handle({ query }, context) {
      const { db, reply } = context;
      const filter = payoutFilterOf(kind, query);
      reply.download(`${name}-${new Date().toISOString().slice(0, 10)}.csv`);
      const begin = async () => {
        await recordPayoutExport(db, actorOf(context), filter);
        return payoutFile(db, filter);
      };
      return Promise.resolve(gatedFile(adminFileGate, context, begin));
    },
  });
};
