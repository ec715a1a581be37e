import { z } from 'zod';
import { poolRuns } from '../../../db/partners/pool/pool.reads';
import { POOL_KINDS } from '../../../workflows/partners/pool/pool-period.rules';
import { paging, windowOf } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { PoolRunView, poolRunView } from './pool.view';

export const listPools = endpoint({
  id: 'listPools',
  returns: 'One page of runs',
  method: 'get',
  path: '/admin/pools',
  summary: 'List the runs of the leadership pools',
  description: 'The latest period first.',
  tag: 'Administration: partners',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(),
    kind: z
      .enum([...POOL_KINDS, 'ALL'])
      .default('ALL')
      .meta({ description: 'WEEKLY, MONTHLY or ALL.' }),
  }),
  success: 200,
  paginated: true,
  data: z.object({ pools: z.array(PoolRunView).describe('One page of pools, the latest period first.') }),
  errors: {},

  async handle({ query: { page, pageSize, kind } }, { db, reply }) {
    const { runs, total } = await poolRuns(db, kind === 'ALL' ? undefined : kind, {
      ...windowOf({ page, pageSize }),
    });
    reply.page({ total, page, pageSize });
    return { pools: runs.map(poolRunView) };
  },
});
