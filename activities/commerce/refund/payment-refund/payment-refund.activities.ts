import { lockRefund, readRefund } from '../../../../db/commerce/refund/refund.transitions';
import type { Policy } from '../../../../db/policy/config';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type {
  PaymentRefundActivities,
  PaymentRefundProviderActivities,
} from '../../../../workflows/commerce/refund/payment-refund.contract';
import { requireOrder } from '../../order/require-order';
import type { Payments } from '../../payment/payment-offer';
import { abandonRefund } from './abandon-refund';
import { completeRefund } from './complete-refund';
import { sendRefund } from './send-refund';
import { settleRefund } from './settle-refund';

type RefundActivities = PaymentRefundActivities & PaymentRefundProviderActivities;

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

  sendRefund: (command) => sendRefund({ db, payments, policy }, command),

  paymentRefundStanding: ({ refundId }) =>
    inTransaction(db, async (tx) => {
      const { status, awaitsLookUp, refundRequestId, orderId } = await lockRefund(tx, refundId);
      const { userId, status: orderStatus } = await requireOrder(tx, orderId);
      return { status, awaitsLookUp, refundRequestId, orderId, userId, orderStatus };
    }),

  settleRefund: (settlement) => settleRefund(db, settlement),

  completeRefund: (completion) => completeRefund(db, completion),

  abandonRefund: (refund) => abandonRefund(db, refund),
});
