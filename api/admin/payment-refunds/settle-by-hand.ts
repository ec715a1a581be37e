import type { PaymentRefundRow } from '../../../db/commerce/refund/payment-refund.reads';
import type { Db } from '../../../db/sql/query';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import { refOf } from '../../../workflows/commerce/payable/payable.rules';
import {
  paymentRefundProcess,
  settleRefund,
} from '../../../workflows/commerce/refund/payment-refund.contract';
import { refusal } from '../../../workflows/errors';
import type { Context } from '../../http/handler-context';
import { noteOf } from '../../http/idempotency/note';
import { onePaymentRefund } from './payment-refund.view';

/** A refund that is not of the caller. Refused: REFUND_NOT_FOUND, FORBIDDEN. */
export async function refundOfAnother(db: Db, id: string, callerId: string): Promise<PaymentRefundRow> {
  const refund = await onePaymentRefund(db, id);
  if (refund.userId === callerId) throw refusal('FORBIDDEN', 'You cannot settle your own refund.');
  return refund;
}

/**
 * Records through its process that a person has sent a refund, and returns the refund after it. Refused: REFUND_NOT_FOUND,
 * FORBIDDEN, ALREADY_SETTLED, CANNOT_SETTLE, VALIDATION_ERROR (`reference`, `amount`).
 */
export async function settleRefundByHand(
  context: Context<'admin'>,
  { id, reference, amount }: { id: string; reference: string; amount?: number | undefined },
): Promise<PaymentRefundRow> {
  const { db, caller, processes, request } = context;
  const refund = await refundOfAnother(db, id, caller.id);
  const noteId = await noteOf(context, reference);
  const isDone = refund.status === 'COMPLETED' || refund.status === 'CHARGED_BACK';
  if (isDone && refund.settlementId !== noteId)
    throw refusal('ALREADY_SETTLED', 'This refund is already settled.');
  if (!isDone)
    await processes.open(
      paymentRefundProcess,
      { refundId: id, ...refOf(refund), userId: refund.userId, label: moneyLabel(refund) },
      settleRefund,
      { noteId, ...(amount !== undefined && { amount }) },
      { updateId: request.idempotencyId },
    );
  return onePaymentRefund(db, id);
}
