import { lockRefund, readRefund } from '../../../../db/commerce/refund/refund.transitions';
import type { Policy } from '../../../../db/policy/config';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type {
  PaymentRefundActivities,
  PaymentRefundProviderActivities,
} from '../../../../workflows/commerce/refund/payment-refund.contract';
import { requireOrder } from '../../order/require-order';
import { lockPayable } from '../../payment/payable/lock-payable';
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
  policy: Pick<Policy, 'bankRefundDays' | 'transferOutDays'>;
}): RefundActivities => ({
  refundProvider: async ({ refundId }) => (await readRefund(db, refundId)).provider,

  sendRefund: (command) => sendRefund({ db, payments, policy }, command),

  paymentRefundStanding: ({ refundId }) =>
    inTransaction(db, async (tx) => {
      const { status, awaitsLookUp, refundRequestId, ...ids } = await lockRefund(tx, refundId);
      const state = { status, awaitsLookUp, refundRequestId };
      if (ids.orderId === null) {
        const { ref, userId } = await lockPayable(tx, ids);
        return { ...state, ...ref, userId };
      }
      const { userId, status: orderStatus } = await requireOrder(tx, ids.orderId);
      return { ...state, orderId: ids.orderId, userId, orderStatus };
    }),

  settleRefund: (settlement) => settleRefund({ db, payments }, settlement),

  completeRefund: (completion) => completeRefund(db, completion),

  abandonRefund: (refund) => abandonRefund(db, refund),
});
