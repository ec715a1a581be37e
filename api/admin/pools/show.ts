import { z } from 'zod';
import { poolShares } from '../../../db/partners/pool/pool-share.reads';
import { lateSalesMinor } from '../../../db/partners/pool/pool-sales.reads';
import { poolRun } from '../../../db/partners/pool/pool.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { refusal } from '../../../workflows/errors';
import { paging, windowOf } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { LateSalesField, PoolRunView, PoolShareView, poolRunView, poolShareView } from './pool.view';
import { idOf } from '../../http/request/ids/id-of';

export const showPool = endpoint({
  id: 'getPool',
  returns: 'The run and one page of the figures of its partners',
  method: 'get',
  path: '/admin/pools/:id',
  summary: 'Show a run of a leadership pool',
  description:
    'With the figures of every active partner whose rank has a weight and who had volume, one page of them, the largest share first: enough to check each share.',
  tag: 'Administration: partners',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: idOf('pool') }),
  query: z.object({ ...paging() }),
  success: 200,
  paginated: true,
  data: z.object({
    run: PoolRunView.describe('The pool of the period.'),
    shares: z
      .array(PoolShareView)
      .describe('One page of the figures of its partners, the largest share first.'),
    lateSales: LateSalesField,
  }),
  errors: { POOL_NOT_FOUND: 404 },

  async handle({ params: { id }, query: { page, pageSize } }, { db, reply }) {
    const run = await poolRun(db, id);
    if (!run) throw refusal('POOL_NOT_FOUND');
    const { shares, total } = await poolShares(db, id, {
      ...windowOf({ page, pageSize }),
    });
    reply.page({ total, page, pageSize });
    return {
      run: poolRunView(run),
      shares: shares.map((share) => poolShareView(share, run.currency)),
      lateSales: toMajor(await lateSalesMinor(db, id), run.currency),
    };
  },
});
