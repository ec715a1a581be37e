import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import { z } from 'zod';
import {
  paymentRefundProcess,
  settleRefund,
} from '../../../workflows/commerce/refund/payment-refund.contract';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { bankReference, money, uuid } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { noteOf } from '../../http/idempotency/note';
import { onePaymentRefund, PaymentRefund, paymentRefundView } from './payment-refund.view';

export const settlePaymentRefund = endpoint({
  method: 'post',
  path: '/admin/payment-refunds/:id/settle',
  summary: 'Record that a refund was sent by hand',
  description:
    'The money was sent from our bank account. For money that came by transfer, and for refunds that were given up. The buyer gets an email.',
  tag: 'Administration: refunds',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: uuid() }),
  body: z.object({
    reference: bankReference({ max: 200 }).meta({
      description: 'What the bank calls the transfer; of one refund only.',
      example: 'BANK-2026-1187',
    }),
    amount: money({ min: 0.01 }).optional().meta({
      description:
        'What was sent. It must be what the refund is of now: a lost chargeback may have paid a part of it since it was read.',
      example: 59.5,
    }),
  }),
  success: 200,
  data: PaymentRefund,
  errors: { REFUND_NOT_FOUND: 404, ALREADY_SETTLED: 409, CANNOT_SETTLE: 400, FORBIDDEN: 403 },

  async handle({ params: { id }, body: { reference, amount } }, context) {
    const { db, caller, processes, request } = context;
    const refund = await onePaymentRefund(db, id);
    if (refund.userId === caller.id)
      throw refusal('FORBIDDEN', 'You cannot settle a refund of your own order.');
    const noteId = await noteOf(context, reference);
    const isDone = refund.status === 'COMPLETED' || refund.status === 'CHARGED_BACK';
    if (isDone && refund.settlementId !== noteId)
      throw refusal('ALREADY_SETTLED', 'This refund is already settled.');
    if (!isDone)
      await processes.open(
        paymentRefundProcess,
        { refundId: id, orderId: refund.orderId, userId: refund.userId, label: moneyLabel(refund) },
        settleRefund,
        { noteId, ...(amount !== undefined && { amount }) },
        { updateId: request.idempotencyId, ifClosed: 'ALREADY_SETTLED' },
      );
    return paymentRefundView(await onePaymentRefund(db, id));
  },
});
