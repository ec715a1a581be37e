import { lockRefund, readRefund } from '../../../../db/commerce/refund/refund.transitions';
import type { Policy } from '../../../../db/policy/config';
import { inTransaction } from '../../../../db/sql/transaction';
import type {
  PaymentRefundActivities,
  PaymentRefundProviderActivities,
} from '../../../../workflows/commerce/refund/payment-refund.contract';
import { steps, type DbDeps } from '../../../steps';
import { requireOrder } from '../../order/require-order';
import { lockPayable } from '../../payable/lock-payable';
import type { Payments } from '../../payment/payment-offer';
import { abandonRefund } from './abandon-refund';
import { completeRefund } from './complete-refund';
import { sendRefund } from './send-refund';
import { settleRefund } from './settle-refund';

type RefundActivities = PaymentRefundActivities & PaymentRefundProviderActivities;

type Deps = DbDeps & { payments: Payments; policy: Pick<Policy, 'bankRefundDays' | 'transferOutDays'> };

export const paymentRefundActivities = (deps: Deps): RefundActivities =>
  steps<RefundActivities, Deps>(deps, {
    sendRefund,
    settleRefund,
    completeRefund,
    abandonRefund,

    refundProvider: async ({ db }, { refundId }) => (await readRefund(db, refundId)).provider,

    paymentRefundState: ({ db }, { refundId }) =>
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
  });
