import { keptRequest } from '../../../db/commerce/refund/refund-request.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { RefundRequestActivities } from '../../../workflows/commerce/refund/refund-request.contract';
import { approveRefund } from './approve-refund';
import { refundStateOf } from './refund-decision';
import { refundOrder } from './refund-order';
import { rejectRefund } from './reject-refund';
import { requestRefund } from './request-refund';

export const refundRequestActivities = ({
  db,
  policy,
}: {
  db: Db;
  policy: Pick<Policy, 'refundWindowDays'>;
}): RefundRequestActivities => ({
  requestRefund: (command) => requestRefund(db, policy, command),

  refundOrder: (refund) => refundOrder(db, refund),

  approveRefund: (approval) => approveRefund(db, approval),

  rejectRefund: (rejection) => rejectRefund(db, rejection),

  refundStanding: ({ refundRequestId }) =>
    inTransaction(db, async (tx) =>
      (await keptRequest(tx, refundRequestId)) ? refundStateOf(tx, refundRequestId) : null,
    ),
});
