import { analyticsRollup } from './administration/analytics/analytics-rollup.job';
import { invariantCheck } from './administration/operations/invariant-check.job';
import { retention } from './administration/retention/retention.job';
import { cataloguePopularity } from './catalog/popularity/catalogue-popularity.job';
import { providerReconciliation } from './commerce/reconciliation/provider-reconciliation.job';
import { kycSync } from './investment/kyc-sync/kyc-sync.job';
import { investmentReconciliation } from './investment/reconciliation/investment-reconciliation.job';
import { investmentSweep } from './investment/sweep/investment-sweep.job';
import { kycExpiry } from './kyc/expiry/kyc-expiry.job';
import { ledgerReconciliation } from './ledger/ledger-reconciliation.job';
import { topUpSweep } from './ledger/top-up/top-up-sweep.job';
import { commissionMaturation } from './partners/maturation/commission-maturation.job';
import { leadershipPoolMonthly, leadershipPoolWeekly } from './partners/pool/leadership-pool.job';

/** The jobs. Their schedules follow from this list, and `activities/jobs.ts` has the work of each. */
export const jobs = [
  commissionMaturation,
  cataloguePopularity,
  analyticsRollup,
  invariantCheck,
  ledgerReconciliation,
  retention,
  investmentReconciliation,
  kycExpiry,
  investmentSweep,
  topUpSweep,
  kycSync,
  leadershipPoolWeekly,
  leadershipPoolMonthly,
  providerReconciliation,
] as const;

export type JobId = (typeof jobs)[number]['id'];
