import { z } from 'zod';
import { openedAttempt } from '../../db/commerce/payment/opened-attempt.reads';
import {
  carriedOutUntil,
  checkoutProcess,
  payOrder,
} from '../../workflows/commerce/checkout/checkout.contract';
import { refusalIn } from '../../workflows/errors';
import { endpoint } from '../http/endpoint';
import { perMinute } from '../http/limits/limits';
import { orderReference } from '../http/request/ids/references';
import { ownOrder } from './own-order';
import { PaymentBlock, PaymentMethodField, paymentBlockView } from './payment.view';

export const payOrderEndpoint = endpoint({
  id: 'payOrder',
  returns: 'How to pay for the order in this attempt',
  method: 'post',
  path: '/orders/:id/pay',
  summary: 'Open a new attempt to pay an order',
  description:
    'By the same or another method, while the order waits for payment. VALIDATION_ERROR with the reason AMOUNT_NOT_PAYABLE: the provider of the method does not take such an amount; PAYMENT_REFUSED: it does not take this payment, and the attempt is over. Another method may be taken.',
  tag: 'Orders',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ id: orderReference('PENDING_PAYMENT') }),
  body: z.object({ paymentMethod: PaymentMethodField }),
  success: 201,
  data: z.object({ orderId: z.uuid(), payment: PaymentBlock.describe('How the order is paid.') }),
  errors: { ORDER_NOT_FOUND: 404, NOT_PAYABLE: 400, INSUFFICIENT_BALANCE: 400 },

  async handle({ params: { id }, body: { paymentMethod } }, { db, caller, mint, processes, request }) {
    await ownOrder(db, caller.id, id);
    const { attempt: attemptId } = await mint('attempt');
    try {
      const offered = await processes.ask(
        checkoutProcess.id({ orderId: id }),
        payOrder,
        { attemptId, paymentMethod, notAfter: carriedOutUntil(new Date()) },
        { updateId: request.idempotencyId },
      );
      return { orderId: id, payment: paymentBlockView(offered.payment) };
    } catch (error) {
      if (refusalIn(error)?.code !== 'NOT_PAYABLE') throw error;
      // This request may have paid the order and lost its answer; the process has closed then.
      const opened = await openedAttempt(db, id, attemptId);
      if (!opened) throw error;
      return { orderId: id, payment: paymentBlockView({ ...opened, paymentUrl: null, bankDetails: null }) };
    }
  },
});
