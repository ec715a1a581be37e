import { z } from 'zod';
import { listCollected } from '../../../../db/commerce/bank-file/bank-file.reads';
import { paging, windowOf } from '../../../http/answer/paging';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { CollectedTransfer, collectedView } from './collected.view';

export const listCollectedEndpoint = endpoint({
  id: 'listCollectedTransfers',
  returns: 'One page of transfers',
  method: 'get',
  path: '/admin/bank-files/collected',
  summary: 'List transfers that are in no file yet',
  description: 'Oldest first: the order in which files take them.',
  tag: 'Administration: bank files',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object(paging(100)),
  success: 200,
  paginated: true,
  data: z.object({
    transfers: z.array(CollectedTransfer).describe('One page of transfers, the oldest first.'),
  }),
  errors: {},

  async handle({ query: { page, pageSize } }, { db, reply }) {
    const { total, transfers } = await listCollected(db, windowOf({ page, pageSize }));
    reply.page({ total, page, pageSize });
    return { transfers: transfers.map(collectedView) };
  },
});
