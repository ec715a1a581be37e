import { keptRequest } from '../../db/commerce/refund-request.transitions';
import type { Db } from '../../db/sql';
import { inTransaction } from '../../db/transaction';
import type { RefundRequestActivities } from '../../workflows/commerce/refund-request.contract';
import { approveRefundIn, rejectRefundIn, standingOf } from './decide-refund';
import { requestRefundIn } from './request-refund';

export const refundRequestActivities = ({ db }: { db: Db }): RefundRequestActivities => ({
  requestRefund: (wish) => inTransaction(db, (tx) => requestRefundIn(tx, wish)),

  approveRefund: (approval) => inTransaction(db, (tx) => approveRefundIn(tx, approval)),

  rejectRefund: (rejection) => inTransaction(db, (tx) => rejectRefundIn(tx, rejection)),

  refundStanding: ({ refundRequestId }) =>
    inTransaction(db, async (tx) =>
      (await keptRequest(tx, refundRequestId)) ? standingOf(tx, refundRequestId) : null,
    ),
});
