import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import { z } from 'zod';
import {
  bankTransferProcess,
  transferOutcome,
} from '../../../workflows/commerce/payment/bank-transfer.contract';
import { toMinor } from '../../../workflows/commerce/money.rules';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { bankReference, money } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { noteOf } from '../../http/idempotency/note';
import { OrderStatusField, PaymentStatusField } from '../../orders/order.view';
import { requireOrder } from './require-order';
import { orderReference } from '../../http/request/references';

export const confirmPayment = endpoint({
  method: 'post',
  path: '/admin/orders/:id/payment',
  summary: 'Enter a bank transfer',
  description:
    'For money seen on the bank account. It pays an order that waits for payment, whichever method was requested ' +
    'last; any other money is recorded and sent back. An amount other than that of the order is refused, or sent ' +
    'back with `onMismatch: "RETURN"`. A bank reference, however its letters, dashes and blanks are written, is ' +
    'recorded once; for the same order again it changes nothing.',
  tag: 'Administration: orders',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: orderReference() }),
  body: z.object({
    amount: money({ min: 0.01 }),
    transactionId: bankReference({ max: 200 }),
    onMismatch: z.literal('RETURN').optional(),
  }),
  success: 200,
  data: z
    .object({
      orderId: z.uuid(),
      status: OrderStatusField,
      paymentStatus: PaymentStatusField,
      outcome: z.enum(['APPLIED', 'RETURNED']),
    })
    .meta({ id: 'ConfirmedPayment' }),
  errors: { ORDER_NOT_FOUND: 404, AMOUNT_MISMATCH: 400, FORBIDDEN: 403 },

  async handle({ params: { id }, body: { amount, transactionId, onMismatch } }, context) {
    const { db, caller, mint, processes, request } = context;
    const order = await requireOrder(db, id);
    if (order.userId === caller.id)
      throw refusal('FORBIDDEN', 'You cannot confirm a payment of your own order.');
    const { capture: captureId } = await mint('capture', 'note');
    const noteId = await noteOf(context, null);
    const amountMinor = toMinor(amount, order.currency);
    const transfer = {
      captureId,
      orderId: id,
      userId: order.userId,
      amountMinor,
      transactionId,
      onMismatch: onMismatch ?? ('REFUSE' as const),
      noteId,
      label: moneyLabel({ ...order, amountMinor }),
    };
    const confirmed = await processes.open(bankTransferProcess, transfer, transferOutcome, null, {
      updateId: request.idempotencyId,
      ifClosed: 'SERVICE_UNAVAILABLE',
    });
    return { orderId: id, ...confirmed };
  },
});
