import { z } from 'zod';
import { listPaymentRefunds } from '../../../db/commerce/refund/payment-refund.reads';
import { endpoint } from '../../http/endpoint';
import { flag, text } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { paging, windowOf } from '../../http/answer/paging';
import { PaymentRefund, PaymentRefundStatusField, paymentRefundView } from './payment-refund.view';

export const listPaymentRefundsEndpoint = endpoint({
  id: 'listPaymentRefunds',
  returns: 'One page of money on its way back',
  method: 'get',
  path: '/admin/payment-refunds',
  summary: 'List money on its way back',
  description:
    'Newest first. Money that came by transfer, and refunds that were given up, a person sends from our bank account and then settles.',
  tag: 'Administration: refunds',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    status: z.enum([...PaymentRefundStatusField.options, 'ALL']).default('ALL'),
    order: text({ min: 1, max: 64 })
      .optional()
      .meta({ description: 'The id or the number of an order.', example: 'ORD-2026-00000339' }),
    participation: text({ min: 1, max: 64 })
      .optional()
      .meta({ description: 'The id or the number of a participation.', example: 'INV-2026-00000012' }),
    entrance: text({ min: 1, max: 64 })
      .optional()
      .meta({ description: 'The id or the number of an entrance fee.', example: 'ENT-2026-00000007' }),
    topUp: text({ min: 1, max: 64 })
      .optional()
      .meta({ description: 'The id or the number of a top-up.', example: 'TOP-2026-00000012' }),
    needsTransfer: flag()
      .optional()
      .meta({ description: 'Whether a person has to send it. Left out: whether or not.', example: true }),
  }),
  success: 200,
  paginated: true,
  data: z.object({ refunds: z.array(PaymentRefund).describe('Refunds, newest first.') }),
  errors: {},

  async handle({ query }, { db, reply }) {
    const { page, pageSize, status, order, participation, entrance, topUp, needsTransfer } = query;
    const found = await listPaymentRefunds(
      db,
      {
        status: status === 'ALL' ? null : status,
        order: order ?? null,
        participation: participation ?? null,
        entrance: entrance ?? null,
        topUp: topUp ?? null,
        needsTransfer: needsTransfer ?? null,
      },
      windowOf({ page, pageSize }),
    );
    reply.page({ total: found.total, page, pageSize });
    return { refunds: found.refunds.map(paymentRefundView) };
  },
});
