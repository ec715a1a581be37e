import {
  abandonRefund,
  completeRefund,
  lockRefund,
  readRefund,
  type PaymentRefund,
} from '../../../db/commerce/refund/refund.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type {
  RefundBookActivities,
  RefundCallActivities,
} from '../../../workflows/commerce/refund/payment-refund.contract';
import { refundIsSent, requestHasFailed } from './conclude-refund';
import { endChargedBackRefund } from './end-charged-back-refund';
import type { Payments } from '../payment/payment-offer';
import { requireOrder } from '../order/require-order';
import { sendRefundOnce, unsendable } from './send-refund';
import { settleRefundOnce } from './settle-refund';

type RefundActivities = RefundBookActivities & RefundCallActivities;

export const paymentRefundActivities = ({
  db,
  payments,
  policy,
}: {
  db: Db;
  payments: Payments;
  policy: Pick<Policy, 'bankRefundDays'>;
}): RefundActivities => ({
  refundProvider: async ({ refundId }) => (await readRefund(db, refundId)).provider,

  sendRefund: (sending) => sendRefundOnce({ db, payments, policy }, sending),

  paymentRefundStanding: ({ refundId }) =>
    inTransaction(db, async (tx) => {
      const { status, awaitsLookUp, refundRequestId, orderId } = await lockRefund(tx, refundId);
      const { userId, status: orderStatus } = await requireOrder(tx, orderId);
      return { status, awaitsLookUp, refundRequestId, orderId, userId, orderStatus };
    }),

  settleRefund: (settlement) => settleRefundOnce(db, settlement),

  completeRefund: ({ refundId, providerRefundId, at }) =>
    inTransaction(db, async (tx) => {
      const refund = await completeRefund(tx, refundId, providerRefundId, at);
      if (refund.now) await refundIsSent(tx, refund, at);
      else requireSentAs(refund, providerRefundId);
      return refund.refundRequestId;
    }),

  abandonRefund: ({ refundId, at }) =>
    inTransaction(db, async (tx) => {
      const { now, awaitsLookUp, refundRequestId } = await abandonRefund(tx, refundId);
      // A person who gives the look-up up says that the provider does not send it.
      if (!now && !awaitsLookUp) return refundRequestId;
      const ended = await endChargedBackRefund(tx, refundId, at);
      if (!now || ended?.id === refundId || refundRequestId === null) return refundRequestId;
      const { amountMinor } = await readRefund(tx, refundId);
      await requestHasFailed(tx, refundRequestId, amountMinor, at);
      return refundRequestId;
    }),
});

/** Money that the provider sent is either this refund's, or a person has to learn of it. */
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
