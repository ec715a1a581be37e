import { Context } from '@temporalio/activity';
import { abandonRefund, completeRefund, readRefund } from '../../db/commerce/refund.transitions';
import type { Db } from '../../db/sql';
import { inTransaction } from '../../db/transaction';
import type {
  RefundBookActivities,
  RefundCallActivities,
} from '../../workflows/commerce/payment-refund.contract';
import { ApplicationFailure } from '@temporalio/common';
import { providerOf, type Payments } from './payment-offer';

type RefundActivities = RefundBookActivities & RefundCallActivities;

export const paymentRefundActivities = ({
  db,
  payments,
}: {
  db: Db;
  payments: Payments;
}): RefundActivities => ({
  async sendRefund({ refundId, again }) {
    const { provider: code, paymentId, amountMinor, currency } = await readRefund(db, refundId);
    const provider = providerOf(payments, code);
    // A try before this one may have been carried out without our hearing of it.
    const mayBeDone = again || Context.current().info.attempt > 1;
    const known = mayBeDone ? await provider.lookUpRefund(refundId) : null;
    const outcome = known ?? (await provider.refund({ key: refundId, paymentId, amountMinor, currency }));
    if (outcome.status === 'refused')
      throw ApplicationFailure.nonRetryable(
        `The provider refuses the refund: ${outcome.reason}`,
        'RefundRefused',
      );
    return { providerRefundId: outcome.refundId };
  },

  completeRefund: ({ refundId, providerRefundId, at }) =>
    inTransaction(db, (tx) => completeRefund(tx, refundId, providerRefundId, at)),

  abandonRefund: ({ refundId }) => inTransaction(db, (tx) => abandonRefund(tx, refundId)),
});
