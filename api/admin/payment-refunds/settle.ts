import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { bankReference, money } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { PaymentRefund, paymentRefundView } from './payment-refund.view';
import { settleRefundByHand } from './settle-by-hand';
import { idOf } from '../../http/request/ids/id-of';

export const settlePaymentRefund = endpoint({
  id: 'settlePaymentRefund',
  returns: 'The refund, which counts as sent',
  method: 'post',
  path: '/admin/payment-refunds/:id/settle',
  summary: 'Record that a refund was sent by hand',
  description:
    'The money was sent from our bank account. For money that came by transfer, and for refunds that were given up. The buyer gets an email. One that its provider may have sent is looked up there first: ALREADY_SETTLED where it was, unless the reference is that of what the provider sent; CANNOT_SETTLE while the provider cannot say. Of a refund whose provider is gone for good and that nobody has given up, the reference is that of the provider’s statement: give up first what you send from our bank account.',
  tag: 'Administration: refunds',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: idOf('payment refund') }),
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
    return paymentRefundView(await settleRefundByHand(context, { id, reference, amount }));
  },
});
