import { storedRequest } from '../../../db/commerce/refund/refund-request.transitions';
import type { Policy } from '../../../db/policy/config';
import { inTransaction } from '../../../db/sql/transaction';
import type { RefundRequestActivities } from '../../../workflows/commerce/refund/refund-request.contract';
import { steps, type DbDeps } from '../../steps';
import { DAY_MS } from '../../../workflows/kit/values/durations.rules';
import { approveRefund } from './approve-refund';
import { refundStateOf } from './refund-decision';
import { refundOrder } from './refund-order';
import { rejectRefund } from './reject-refund';
import { requestRefund } from './request-refund';

type Deps = DbDeps & { policy: Pick<Policy, 'refundWindowDays' | 'refundReviewDays'> };

export const refundRequestActivities = (deps: Deps): RefundRequestActivities =>
  steps<RefundRequestActivities, Deps>(deps, {
    requestRefund,
    refundOrder,
    approveRefund,
    rejectRefund,

    refundRequestState: ({ db, policy }, { refundRequestId, askedAt }) =>
      inTransaction(db, async (tx) => {
        const request = await storedRequest(tx, refundRequestId);
        if (!request) return null;
        const state = await refundStateOf(tx, refundRequestId);
        const since = askedAt === null ? request.createdAt.getTime() : Date.parse(askedAt);
        const decideBy = new Date(since + policy.refundReviewDays * DAY_MS).toISOString();
        return { ...state, decideBy: state.status === 'PENDING_REVIEW' ? decideBy : null };
      }),
  });
