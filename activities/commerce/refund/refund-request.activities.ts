import { keptRequest } from '../../../db/commerce/refund/refund-request.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { RefundRequestActivities } from '../../../workflows/commerce/refund/refund-request.contract';
import { approveRefundIn, rejectRefundIn, standingOf } from './decide-refund';
import { refundOrderIn } from './refund-order';
import { requestRefundIn } from './request-refund';

export const refundRequestActivities = ({
  db,
  policy,
}: {
  db: Db;
  policy: Pick<Policy, 'refundWindowDays'>;
}): RefundRequestActivities => ({
  requestRefund: (wish) => inTransaction(db, (tx) => requestRefundIn(tx, wish, policy)),

  refundOrder: (refund) => inTransaction(db, (tx) => refundOrderIn(tx, refund)),

  approveRefund: (approval) => inTransaction(db, (tx) => approveRefundIn(tx, approval)),

  rejectRefund: (rejection) => inTransaction(db, (tx) => rejectRefundIn(tx, rejection)),

  refundStanding: ({ refundRequestId }) =>
    inTransaction(db, async (tx) =>
      (await keptRequest(tx, refundRequestId)) ? standingOf(tx, refundRequestId) : null,
    ),
});
