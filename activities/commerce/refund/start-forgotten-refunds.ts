import {
  refundsUnderWay,
  type RefundUnderWay,
} from '../../../db/commerce/refund/sending/refunds-under-way.reads';
import type { Db } from '../../../db/sql/query';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import { refOf } from '../../../workflows/commerce/payable/payable.rules';
import { paymentRefundProcess } from '../../../workflows/commerce/refund/payment-refund.contract';
import { startInPages } from '../webhook/start-in-pages';
import type { StartProcess } from '../webhook/webhook-sweep.activities';

/** Starts the processes of refunds that are not sent yet, where they have none any more; returns their number. */
export const startForgottenRefunds = (
  { db, start, signal }: { db: Db; start: StartProcess; signal: AbortSignal },
  before: Date,
): Promise<number> =>
  startInPages<RefundUnderWay>(
    {
      read: (page) => refundsUnderWay(db, { ...page, before }),
      start: (refund) =>
        start(paymentRefundProcess, {
          ...{ refundId: refund.id, ...refOf(refund) },
          ...{ userId: refund.userId, label: moneyLabel(refund) },
        }),
    },
    signal,
  );
