import { Context } from '@temporalio/activity';
import { abandonRefund, completeRefund, readRefund } from '../../db/commerce/refund.transitions';
import type { Db } from '../../db/sql';
import { inTransaction } from '../../db/transaction';
import type {
  RefundBookActivities,
  RefundCallActivities,
} from '../../workflows/commerce/payment-refund.contract';
import { ApplicationFailure } from '@temporalio/common';
import { requestHasFailed, requestIsSent } from './conclude-refund';
import { providerOf, type Payments } from './payment-offer';

type RefundActivities = RefundBookActivities & RefundCallActivities;

export const paymentRefundActivities = ({
  db,
  payments,
}: {
  db: Db;
  payments: Payments;
}): RefundActivities => ({
  refundProvider: async ({ refundId }) => (await readRefund(db, refundId)).provider,

  async sendRefund({ refundId, again }) {
    const { provider: code, paymentId, amountMinor, currency } = await readRefund(db, refundId);
    const provider = providerOf(payments, code);
    // A try before this one may have been carried out without our hearing of it.
    const mayBeDone = again || Context.current().info.attempt > 1;
    const known = mayBeDone ? await provider.lookUpRefund({ key: refundId, paymentId }) : null;
    const outcome = known ?? (await provider.refund({ key: refundId, paymentId, amountMinor, currency }));
    if (outcome.status === 'refused')
      throw ApplicationFailure.nonRetryable(
        `The provider refuses the refund: ${outcome.reason}`,
        'RefundRefused',
      );
    return { providerRefundId: outcome.refundId };
  },

  completeRefund: ({ refundId, providerRefundId, at }) =>
    inTransaction(db, async (tx) => {
      const { now, orderId, refundRequestId } = await completeRefund(tx, refundId, providerRefundId, at);
      if (now && refundRequestId !== null) await requestIsSent(tx, orderId, refundRequestId, at);
      return refundRequestId;
    }),

  abandonRefund: ({ refundId, at }) =>
    inTransaction(db, async (tx) => {
      const { now, amountMinor, refundRequestId } = await abandonRefund(tx, refundId);
      if (now && refundRequestId !== null) await requestHasFailed(tx, refundRequestId, amountMinor, at);
      return refundRequestId;
    }),
});
