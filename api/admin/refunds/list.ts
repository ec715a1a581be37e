import { z } from 'zod';
import { listRefundRequests } from '../../../db/commerce/refund/administered-request.reads';
import { endpoint } from '../../http/endpoint';
import { isoDate, periodEnd, text } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { paging, windowOf } from '../../http/answer/paging';
import { RefundStatusField } from '../../orders/refund/refund.view';
import { AdminRefund, adminRefundView } from './refund.view';

export const listRefunds = endpoint({
  id: 'listRefunds',
  returns: 'One page of refund requests',
  method: 'get',
  path: '/admin/refunds',
  summary: 'List refund requests',
  description: 'Newest first. `dateFrom` and `dateTo` are of the request, both inclusive.',
  tag: 'Administration: refunds',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    status: z.enum([...RefundStatusField.options, 'ALL']).default('ALL'),
    order: text({ min: 1, max: 64 })
      .optional()
      .meta({ description: 'The id or the number of an order.', example: 'ORD-2026-00000339' }),
    buyer: text({ min: 1, max: 254 })
      .optional()
      .meta({ description: "The buyer's id or whole email address.", example: 'ada@example.com' }),
    dateFrom: isoDate().optional(),
    dateTo: periodEnd().optional(),
  }),
  success: 200,
  paginated: true,
  data: z.object({ refunds: z.array(AdminRefund).describe('Refunds, newest first.') }),
  errors: {},

  async handle({ query: { page, pageSize, status, order, buyer, dateFrom, dateTo } }, { db, reply }) {
    const filter = {
      status: status === 'ALL' ? undefined : status,
      order,
      buyer,
      from: dateFrom === undefined ? undefined : new Date(dateFrom),
      to: dateTo === undefined ? undefined : new Date(dateTo),
    };
    const found = await listRefundRequests(db, filter, windowOf({ page, pageSize }));
    reply.page({ total: found.total, page, pageSize });
    return { refunds: found.requests.map(adminRefundView) };
  },
});
