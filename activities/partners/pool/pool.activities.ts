import { ApplicationFailure } from '@temporalio/common';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { poolPeriodNamed } from '../../../workflows/partners/pool/pool-period.rules';
import type { PoolActivities, PoolCountActivities } from '../../../workflows/partners/pool/pool.contract';
import { withHeartbeat } from '../../heartbeat';
import { countPool } from './count-pool';
import { payPool } from './pay-pool';

interface PoolDeps {
  /** A pool for long work: a run reads all sales of its period. */
  longDb: Db;
  policy: Pick<Policy, 'poolBatch' | 'poolSettleMinutes'>;
}

/** The leadership pools. */
export const poolActivities = ({ longDb, policy }: PoolDeps): PoolActivities & PoolCountActivities => ({
  poolCountableFrom({ kind, period, at }) {
    const { endsAt } = periodOf(kind, period);
    if (endsAt > new Date(at))
      throw ApplicationFailure.nonRetryable(`The period ${period} has not ended.`, 'PeriodNotEnded');
    const from = new Date(endsAt.getTime() + policy.poolSettleMinutes * 60_000);
    return Promise.resolve({ from: from.toISOString() });
  },
  countPool: ({ kind, period, withoutUncounted }) =>
    withHeartbeat((signal) => countPool(longDb, signal, periodOf(kind, period), { withoutUncounted })),
  payPool: ({ runId }) =>
    withHeartbeat((signal) => payPool({ db: longDb, signal, batch: policy.poolBatch }, runId)),
});

function periodOf(...name: Parameters<typeof poolPeriodNamed>) {
  const found = poolPeriodNamed(...name);
  if (!found) throw ApplicationFailure.nonRetryable(`There is no period ${name[1]}.`, 'NoSuchPeriod');
  return found;
}
