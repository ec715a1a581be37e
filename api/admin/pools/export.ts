import { z } from 'zod';
import { poolSharesAfter, type PoolShareFigures } from '../../../db/partners/pool/pool-share.reads';
import { poolRun, type PoolRunFigures } from '../../../db/partners/pool/pool.reads';
import type { Db } from '../../../db/sql/query';
import { refusal } from '../../../workflows/errors';
import { csvFile } from '../../http/answer/files/csv-file';
import { TextChunks } from '../../http/answer/files/text-stream';
import { endpoint } from '../../http/endpoint';
import { FileGate } from '../../http/limits/file-gate';
import { perMinute } from '../../http/limits/limits';
import { gatedFile } from '../../mlm/commissions/commission-file';
import { actorOf } from '../actor';
import { recordPoolExport } from './export.command';
import { POOL_COLUMNS, poolCells } from './pool-columns';
import { idOf } from '../../http/request/ids/id-of';

/** Shares per chunk: the most that are in memory at once. */
const CHUNK_SHARES = 1_000;

const gate = new FileGate({ slots: 2, queueLength: 8, deadlineMs: 10_000 });

export const exportPool = endpoint({
  id: 'exportPool',
  returns: 'The figures of its partners as CSV',
  method: 'get',
  path: '/admin/pools/:id/export',
  summary: 'Export a run of a leadership pool as a file',
  description: `CSV in UTF-8 with a byte order mark, one row per partner, the largest share first. The columns are ${POOL_COLUMNS.map((column) => `\`${column}\``).join(', ')}; each row also has the run's \`pool\` and \`denominator\`, so that it can be checked by itself. A text that a spreadsheet could take for a formula has an apostrophe before it.`,
  tag: 'Administration: partners',
  auth: 'admin',
  limit: perMinute(5),

  params: z.object({ id: idOf('pool') }),
  success: 200,
  produces: 'text/csv',
  data: TextChunks,
  errors: { POOL_NOT_FOUND: 404 },

  async handle({ params: { id } }, context) {
    const run = await poolRun(context.db, id);
    if (!run) throw refusal('POOL_NOT_FOUND');
    context.reply.download(`pool-${run.kind.toLowerCase()}-${run.period}.csv`);
    const { db } = context;
    return gatedFile(gate, context, async () => {
      await recordPoolExport(db, actorOf(context), run);
      return chunksOf(db, run);
    });
  },
});

const chunksOf = (db: Db, run: PoolRunFigures): AsyncGenerator<string> =>
  csvFile<PoolShareFigures>({
    columns: POOL_COLUMNS,
    cells: (share) => poolCells(run, share),
    after: (last, limit) => poolSharesAfter(db, run.id, last, limit),
    chunk: CHUNK_SHARES,
  });
