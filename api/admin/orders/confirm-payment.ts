import { z } from 'zod';
import { orderHead } from '../../../db/commerce/order.reads';
import { checkoutProcess, confirmTransfer } from '../../../workflows/commerce/checkout.contract';
import { toMinor } from '../../../workflows/commerce/money.rules';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { money, text, uuid } from '../../http/fields';
import { perMinute } from '../../http/limits';
import { noteOf } from '../../http/note';
import { OrderStatusField } from '../../orders/order.view';

export const confirmPayment = endpoint({
  method: 'post',
  path: '/admin/orders/:id/payment',
  summary: 'Confirm a bank transfer',
  description: 'The money was seen on the bank account. It must be exactly what the order asks for.',
  tag: 'Administration: orders',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: uuid() }),
  body: z.object({ amount: money(), transactionId: text({ min: 1, max: 200 }) }),
  success: 200,
  data: z
    .object({ id: z.uuid(), orderNumber: z.string(), status: OrderStatusField, confirmedBy: z.uuid() })
    .meta({ id: 'ConfirmedPayment' }),
  errors: { ORDER_NOT_FOUND: 404, NOT_PAYABLE: 400, AMOUNT_MISMATCH: 400, FORBIDDEN: 403 },

  async handle({ params: { id }, body: { amount, transactionId } }, context) {
    const { db, caller, mint, processes, request } = context;
    const order = await orderHead(db, id);
    if (!order) throw refusal('ORDER_NOT_FOUND', 'There is no such order.');
    if (order.userId === caller.id)
      throw refusal('FORBIDDEN', 'Nobody confirms payments of their own orders.');
    const { capture: captureId } = await mint('capture', 'note');
    const noteId = await noteOf(context, null);
    const standing = await processes.ask(
      checkoutProcess.id({ orderId: id, userId: order.userId }),
      confirmTransfer,
      {
        captureId,
        amountMinor: toMinor(amount, order.currency),
        transactionId,
        noteId,
      },
      { updateId: request.wishId, otherwise: 'NOT_PAYABLE' },
    );
    return { id, orderNumber: order.orderNumber, status: standing.status, confirmedBy: caller.id };
  },
});
