import type { BlobStore } from '../db/blobs/port';
import type { Policy } from '../db/policy/config';
import type { Db } from '../db/sql/query';
import { analyticsRollup } from '../workflows/administration/analytics/analytics-rollup.job';
import { invariantCheck } from '../workflows/administration/operations/invariant-check.job';
import { retention } from '../workflows/administration/retention/retention.job';
import { cataloguePopularity } from '../workflows/catalog/popularity/catalogue-popularity.job';
import { providerReconciliation } from '../workflows/commerce/reconciliation/provider-reconciliation.job';
import { kycSync } from '../workflows/investment/kyc-sync/kyc-sync.job';
import { investmentReconciliation } from '../workflows/investment/reconciliation/investment-reconciliation.job';
import { investmentSweep } from '../workflows/investment/sweep/investment-sweep.job';
import { kycExpiry } from '../workflows/kyc/expiry/kyc-expiry.job';
import { ledgerReconciliation } from '../workflows/ledger/ledger-reconciliation.job';
import { topUpSweep } from '../workflows/ledger/top-up/top-up-sweep.job';
import { commissionMaturation } from '../workflows/partners/maturation/commission-maturation.job';
import { leadershipPoolMonthly, leadershipPoolWeekly } from '../workflows/partners/pool/leadership-pool.job';
import type { Job } from '../workflows/kit/job/job.contract';
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

/** Every job, with its work. */
const works: readonly (readonly [Job, (deps: JobDeps) => JobWork])[] = [
  [commissionMaturation, ({ policy }) => maturationWork(policy)],
  [cataloguePopularity, ({ policy }) => popularityWork(policy)],
  [analyticsRollup, () => rollupWork()],
  [invariantCheck, invariantWork],
  [ledgerReconciliation, ({ longDb }) => ledgerReconciliationWork(longDb)],
  [retention, retentionWork],
  [investmentReconciliation, investmentReconciliationWork],
  [kycExpiry, kycExpiryWork],
  [investmentSweep, investmentSweepWork],
  [topUpSweep, topUpSweepWork],
  [kycSync, kycSyncWork],
  [providerReconciliation, startReconciliationsWork],
  [leadershipPoolWeekly, (deps) => startPoolsWork(deps, 'WEEKLY')],
  [leadershipPoolMonthly, (deps) => startPoolsWork(deps, 'MONTHLY')],
];

/** The jobs, from which their schedules follow. */
export const jobs: readonly Job[] = works.map(([job]) => job);

/** The work of each job, by its id. */
export const jobWorks = (deps: JobDeps): Record<string, JobWork> =>
  Object.fromEntries(works.map(([{ id }, work]) => [id, work(deps)]));
