import { z } from 'zod';
import { listRefundRequests } from '../../../db/commerce/refund/refund-request.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { paging } from '../../http/answer/paging';
import { RefundStatusField } from '../../orders/refund/refund.view';
import { AdminRefund, adminRefundView } from './refund.view';

export const listRefundsEndpoint = endpoint({
  method: 'get',
  path: '/admin/refunds',
  summary: 'List refund requests',
  description: 'Newest first.',
  tag: 'Administration: refunds',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    status: z.enum([...RefundStatusField.options, 'ALL']).default('ALL'),
  }),
  success: 200,
  paginated: true,
  data: z.object({ refunds: z.array(AdminRefund) }),
  errors: {},

  async handle({ query: { page, pageSize, status } }, { db, reply }) {
    const found = await listRefundRequests(db, status === 'ALL' ? null : status, {
      limit: pageSize,
      offset: (page - 1) * pageSize,
    });
    reply.page({ total: found.total, page, pageSize });
    return { refunds: found.requests.map(adminRefundView) };
  },
});
