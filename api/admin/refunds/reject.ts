import { z } from 'zod';
import {
  refundRequestProcess,
  rejectRefund,
} from '../../../workflows/commerce/refund/refund-request.contract';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { noteOf } from '../../http/idempotency/note';
import { AdminRefund, adminRefundView, oneRefund, refundOfAnother } from './refund.view';
import { idOf } from '../../http/request/ids/id-of';

export const rejectRefundEndpoint = endpoint({
  id: 'rejectRefund',
  returns: 'The rejected refund request',
  method: 'post',
  path: '/admin/refunds/:id/reject',
  summary: 'Turn a refund down',
  description: 'The buyer gets an email with the reason.',
  tag: 'Administration: refunds',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: idOf('refund', 'PENDING_REVIEW') }),
  body: z.object({ reason: text({ min: 1, max: 500 }).meta({ example: 'The goods were worn.' }) }),
  success: 200,
  data: AdminRefund,
  errors: { REFUND_NOT_FOUND: 404, NOT_PENDING: 400, FORBIDDEN: 403 },

  async handle({ params: { id }, body: { reason } }, context) {
    const { db, caller, processes, request } = context;
    await refundOfAnother(db, id, caller.id);
    const noteId = await noteOf(context, reason);
    await processes.ask(
      refundRequestProcess.id({ refundRequestId: id }),
      rejectRefund,
      { noteId },
      { updateId: request.idempotencyId },
    );
    return adminRefundView(await oneRefund(db, id));
  },
});
