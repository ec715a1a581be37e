import { z } from 'zod';
import { toMinor } from '../../../workflows/commerce/money.rules';
import {
  approveRefund,
  refundRequestProcess,
} from '../../../workflows/commerce/refund/refund-request.contract';
import { endpoint } from '../../http/endpoint';
import { money, text } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { noteOf } from '../../http/idempotency/note';
import { AdminRefund, adminRefundView, oneRefund, refundOfAnother } from './refund.view';
import { idOf } from '../../http/request/ids/id-of';

export const approveRefundEndpoint = endpoint({
  id: 'approveRefund',
  returns: 'The approved refund request',
  method: 'post',
  path: '/admin/refunds/:id/approve',
  summary: 'Approve a refund',
  description:
    'Sends the money back to where it came from: what a balance paid at once, what a provider brought through that provider. The buyer gets an email.',
  tag: 'Administration: refunds',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: idOf('refund', 'PENDING_REVIEW') }),
  body: z.object({
    amount: money({ min: 0.01 })
      .nullish()
      .meta({ description: 'At most the requested amount, which is the default.', example: 20 }),
    restock: z
      .boolean()
      .nullish()
      .meta({ description: 'Whether the goods are restocked; false by default.' }),
    note: text({ max: 2_000 }).nullish().describe('A note by an administrator; null without one.'),
  }),
  success: 200,
  data: AdminRefund,
  errors: { REFUND_NOT_FOUND: 404, NOT_PENDING: 400, FORBIDDEN: 403 },

  async handle({ params: { id }, body: { amount, restock, note } }, context) {
    const { db, caller, processes, request } = context;
    const { currency } = await refundOfAnother(db, id, caller.id);
    const noteId = await noteOf(context, note ?? null);
    await processes.ask(
      refundRequestProcess.id({ refundRequestId: id }),
      approveRefund,
      {
        noteId,
        amountMinor: amount === null || amount === undefined ? null : toMinor(amount, currency),
        restock: restock ?? false,
      },
      { updateId: request.idempotencyId },
    );
    return adminRefundView(await oneRefund(db, id));
  },
});
