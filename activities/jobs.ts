import type { BlobStore } from '../db/blobs/port';
import type { Policy } from '../db/policy/config';
import type { Db } from '../db/sql/query';
import type { JobId } from '../workflows/jobs';
import { rollupWork } from './administration/analytics/roll-up-facts';
import type { JobWork } from './administration/job/job-work';
import { invariantWork, type CheckProcesses } from './administration/operations/check-invariants';
import { retentionWork } from './administration/retention/forget';
import { popularityWork } from './catalog/popularity/recount-popularity';
import { startReconciliationsWork } from './commerce/reconciliation/start-reconciliations';
import type { StartProcess } from './commerce/webhook/webhook-sweep.activities';
import { kycSyncWork } from './investment/kyc-sync/start-kyc-pushes';
import { investmentReconciliationWork } from './investment/reconciliation/reconcile-investments';
import { investmentSweepWork } from './investment/sweep/start-forgotten-investments';
import { kycExpiryWork } from './kyc/expiry/expire-verifications';
import { ledgerReconciliationWork } from './ledger/reconcile-ledger';
import { topUpSweepWork } from './ledger/top-up/start-forgotten-top-ups';
import { maturationWork } from './partners/maturation/mature-commissions';
import { startPoolsWork } from './partners/pool/start-pools';
import type { ProviderStatement } from './providers/statements/port';

export interface JobDeps {
  /** A pool for long work. */
  longDb: Db;
  blobs: BlobStore;
  checkProcesses: CheckProcesses;
  start: StartProcess;
  statements: ReadonlyMap<string, ProviderStatement>;
  policy: Policy;
}

/** The work of each job. */
export const jobWorks = ({
  longDb,
  blobs,
  checkProcesses,
  start,
  statements,
  policy,
}: JobDeps): Record<JobId, JobWork> => ({
  'commission-maturation': maturationWork(policy),
  'catalogue-popularity': popularityWork(policy),
  'analytics-rollup': rollupWork(),
  'invariant-check': invariantWork({ longDb, blobs, checkProcesses, policy }),
  'ledger-reconciliation': ledgerReconciliationWork(longDb),
  retention: retentionWork({ longDb, blobs, policy }),
  'investment-reconciliation': investmentReconciliationWork({ longDb, policy }),
  'kyc-expiry': kycExpiryWork({ longDb, policy }),
  'investment-sweep': investmentSweepWork({ longDb, start }),
  'top-up-sweep': topUpSweepWork({ longDb, start }),
  'kyc-sync': kycSyncWork({ longDb, start }),
  'provider-reconciliation': startReconciliationsWork({ longDb, start, statements }),
  'leadership-pool-weekly': startPoolsWork({ longDb, start }, 'WEEKLY'),
  'leadership-pool-monthly': startPoolsWork({ longDb, start }, 'MONTHLY'),
});
