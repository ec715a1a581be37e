import { bookRefundSent } from '../../../../db/commerce/order/order-ledger.transitions';
import {
  concludePayment,
  lockRefund,
  markCompleted,
  type PaymentRefund,
} from '../../../../db/commerce/refund/refund.transitions';
import { hasFailed } from '../../../../db/commerce/refund/reported/reported-refund.transitions';
import type { Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { PaymentRefundActivities } from '../../../../workflows/commerce/refund/payment-refund.contract';
import { concludeSentRefund } from '../conclude-request';
import type { DbDeps } from '../../../steps';
import { unsendable } from './look-up-refund';

type Completion = Parameters<PaymentRefundActivities['completeRefund']>[0];

/**
 * Books a refund that its provider has sent and concludes its request; returns that request's id. Sent before under the
 * same id: nothing. Sent a second time under another id: a failure, so that a person learns of it.
 */
export const completeRefund = ({ db }: DbDeps, completion: Completion): Promise<string | null> =>
  inTransaction(db, async (tx) => {
    const { refundId, providerRefundId, at } = completion;
    const refund = await bookCompletedRefund(tx, refundId, providerRefundId, at);
    if (refund.isNew) await concludeSentRefund(tx, refund, at);
    else requireSentAs(refund, providerRefundId);
    return refund.refundRequestId;
  });

/**
 * Books a refund that its provider has sent, though it may have been given up; `isNew`: it was not booked before. Fails if the
 * provider has reported since that it could not deliver it: a person sends the money.
 */
export async function bookCompletedRefund(
  tx: Tx,
  refundId: string,
  providerRefundId: string,
  at: string,
): Promise<PaymentRefund & { isNew: boolean }> {
  const refund = await lockRefund(tx, refundId);
  const { provider, status } = refund;
  if (status !== 'COMPLETED' && (await hasFailed(tx, { provider, providerRefundId })))
    throw unsendable(
      `${provider} could not deliver this refund, which it had sent as ${providerRefundId}. Abandon this, send the money from our bank account, and settle it.`,
    );
  if (!(await markCompleted(tx, refundId, providerRefundId, at))) return { ...refund, isNew: false };
  await bookRefundSent(tx, { ...refund, sentAs: providerRefundId }, refund.provider, at);
  await concludePayment(tx, refund, at);
  return { ...refund, isNew: true };
}

function requireSentAs(
  { status, providerRefundId: known, chargebackId }: PaymentRefund,
  sentAs: string,
): void {
  if (known === sentAs) return;
  const why =
    status === 'CHARGED_BACK'
      ? `although a lost chargeback (${chargebackId}) had paid it`
      : `although it is ${status} by another payment`;
  throw unsendable(`The provider sent this refund as ${sentAs}, ${why}.`);
}
