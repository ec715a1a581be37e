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

const DAY_MS = 24 * 3_600_000;

export const refundRequestActivities = ({
  db,
  policy,
}: {
  db: Db;
  policy: Pick<Policy, 'refundWindowDays' | 'refundReviewDays'>;
}): RefundRequestActivities => ({
  requestRefund: (command) => requestRefund(db, policy, command),

  refundOrder: (refund) => refundOrder(db, refund),

  approveRefund: (approval) => approveRefund(db, approval),

  rejectRefund: (rejection) => rejectRefund(db, rejection),

  refundStanding: ({ refundRequestId, askedAt }) =>
    inTransaction(db, async (tx) => {
      const request = await keptRequest(tx, refundRequestId);
      if (!request) return null;
      const state = await refundStateOf(tx, refundRequestId);
      const since = askedAt === null ? request.createdAt.getTime() : Date.parse(askedAt);
      const decideBy = new Date(since + policy.refundReviewDays * DAY_MS).toISOString();
      return { ...state, decideBy: state.status === 'PENDING_REVIEW' ? decideBy : null };
    }),
});
