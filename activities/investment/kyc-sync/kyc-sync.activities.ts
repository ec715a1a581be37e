import { sleep } from '@temporalio/activity';
import { beginSync, endSync } from '../../../db/investment/kyc-push/kyc-sync.writes';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import type {
  KycPushActivities,
  KycPushProviderActivities,
} from '../../../workflows/investment/kyc-sync/kyc-push.contract';
import { withHeartbeat } from '../../heartbeat';
import type { Outbound } from '../../providers/outbound/outbound';
import { pushBatch } from './push-batch';

interface KycSyncDeps {
  db: Db;
  outbound: Outbound;
  policy: Pick<Policy, 'kycPushesPerMinute'>;
  /** The time in milliseconds, by which a batch ends. */
  clock?: () => number;
}

/** The push of identity verifications to investment providers. Processes see ids and counts only. */
export const kycSyncActivities = ({
  db,
  outbound,
  policy,
  clock = Date.now,
}: KycSyncDeps): KycPushActivities & KycPushProviderActivities => ({
  beginKycPush: ({ providerCode, slot, at }) => beginSync(db, { providerCode, slot, at: new Date(at) }),
  endKycPush: ({ providerCode, at, isWhole }) =>
    endSync(db, { providerCode, startedAt: new Date(at) }, { isWhole, at: new Date() }),
  pushKycBatch: (batch) =>
    withHeartbeat(() =>
      pushBatch(
        {
          ...{ db, outbound, perMinute: policy.kycPushesPerMinute },
          sleep: (ms) => sleep(ms),
          clock,
        },
        batch,
      ),
    ),
});
