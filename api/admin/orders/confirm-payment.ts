import { z } from 'zod';
import { orderTransferOutcome } from '../../../workflows/commerce/payment-event/bank-transfer.contract';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { OrderStatusField, PaymentStatusField } from '../../orders/order.view';
import { enterTransfer, TransferBody } from '../enter-transfer';
import { requireOrder } from './require-order';
import { orderReference } from '../../http/request/ids/references';
import { TransferOutcomeField } from '../outcomes.view';

export const confirmPayment = endpoint({
  id: 'confirmTransfer',
  returns: 'Whether the transfer pays the order or is returned',
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

  params: z.object({ id: orderReference('PENDING_PAYMENT') }),
  body: TransferBody,
  success: 200,
  data: z
    .object({
      orderId: z.uuid(),
      status: OrderStatusField,
      paymentStatus: PaymentStatusField,
      outcome: TransferOutcomeField,
    })
    .meta({ id: 'ConfirmedPayment' }),
  errors: { ORDER_NOT_FOUND: 404, AMOUNT_MISMATCH: 400, FORBIDDEN: 403 },

  async handle({ params: { id }, body }, context) {
    const order = await requireOrder(context.db, id);
    const payable = { ...order, number: order.orderNumber };
    const confirmed = await enterTransfer(context, { orderId: id }, payable, body, orderTransferOutcome);
    return { orderId: id, ...confirmed };
  },
});
