import { ScheduleOverlapPolicy, type ScheduleSpec } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import { analyticsRollupProcess } from '../workflows/administration/analytics/analytics-rollup.contract';
import { invariantCheckProcess } from '../workflows/administration/operations/invariant-check.contract';
import { retentionProcess } from '../workflows/administration/retention/retention.contract';
import { cataloguePopularityProcess } from '../workflows/catalog/popularity/catalogue-popularity.contract';
import { providerReconciliationProcess } from '../workflows/commerce/reconciliation/provider-reconciliation.contract';
import { webhookSweepProcess } from '../workflows/commerce/webhook/webhook-sweep.contract';
import { investmentReconciliationProcess } from '../workflows/investment/reconciliation/investment-reconciliation.contract';
import { investmentSweepProcess } from '../workflows/investment/sweep/investment-sweep.contract';
import { kycSyncProcess } from '../workflows/investment/kyc-sync/kyc-sync.contract';
import { kycExpiryProcess } from '../workflows/kyc/expiry/kyc-expiry.contract';
import { ledgerReconciliationProcess } from '../workflows/ledger/ledger-reconciliation.contract';
import { topUpSweepProcess } from '../workflows/ledger/top-up/top-up-sweep.contract';
import { commissionMaturationProcess } from '../workflows/partners/maturation/commission-maturation.contract';
import { leadershipPoolMonthlyProcess } from '../workflows/partners/pool/leadership-pool-monthly.contract';
import { leadershipPoolWeeklyProcess } from '../workflows/partners/pool/leadership-pool-weekly.contract';
import { partnerSweepProcess } from '../workflows/partners/sweep/partner-sweep.contract';
import type { ProcessDefinition } from '../workflows/kit/process';

/** One row of the table of schedules. */
export interface Scheduled {
  id: string;
  process: ProcessDefinition<Record<string, never>>;
  spec: ScheduleSpec;
  /** SKIP if the next run makes up for a missed one; BUFFER_ALL if every period must have its run. */
  overlap: ScheduleOverlapPolicy;
  /** The time for which missed runs are made up after an outage. */
  catchupWindow: Duration;
}

/** The schedules, in UTC. Workers bring Temporal in line with this table when they start. */
export const schedules: readonly Scheduled[] = [
  {
    id: 'webhook-sweep',
    process: webhookSweepProcess,
    spec: { intervals: [{ every: '1 minute' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 minute',
  },
  {
    id: 'partner-sweep',
    process: partnerSweepProcess,
    spec: { intervals: [{ every: '1 minute', offset: '30 seconds' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 minute',
  },
  {
    id: 'analytics-rollup',
    process: analyticsRollupProcess,
    spec: { intervals: [{ every: '1 minute', offset: '45 seconds' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 minute',
  },
  {
    id: 'invariant-check',
    process: invariantCheckProcess,
    spec: { intervals: [{ every: '1 hour', offset: '17 minutes' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 hour',
  },
  {
    id: 'leadership-pool-weekly',
    process: leadershipPoolWeeklyProcess,
    spec: { calendars: [{ dayOfWeek: 'MONDAY', hour: 0, minute: 0, comment: 'after the week has closed' }] },
    overlap: ScheduleOverlapPolicy.BUFFER_ALL,
    catchupWindow: '365 days',
  },
  {
    id: 'leadership-pool-monthly',
    process: leadershipPoolMonthlyProcess,
    spec: { calendars: [{ dayOfMonth: 1, hour: 0, minute: 0, comment: 'after the month has closed' }] },
    overlap: ScheduleOverlapPolicy.BUFFER_ALL,
    catchupWindow: '365 days',
  },
  {
    id: 'commission-maturation',
    process: commissionMaturationProcess,
    spec: { calendars: [{ hour: 0, minute: 10, comment: 'after the day has closed' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 day',
  },
  {
    id: 'catalogue-popularity',
    process: cataloguePopularityProcess,
    spec: { calendars: [{ hour: 0, minute: 30, comment: 'after the day has closed' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 day',
  },
  {
    id: 'provider-reconciliation',
    process: providerReconciliationProcess,
    spec: { calendars: [{ hour: 1, minute: 30, comment: 'after reports of the day have come' }] },
    overlap: ScheduleOverlapPolicy.BUFFER_ALL,
    catchupWindow: '7 days',
  },
  {
    id: 'kyc-expiry',
    process: kycExpiryProcess,
    spec: { calendars: [{ hour: 2, minute: 0, comment: 'when little moves' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 day',
  },
  {
    id: 'investment-reconciliation',
    process: investmentReconciliationProcess,
    spec: { calendars: [{ hour: 2, minute: 30, comment: 'when little moves' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 day',
  },
  {
    id: 'investment-sweep',
    process: investmentSweepProcess,
    spec: { intervals: [{ every: '1 hour', offset: '47 minutes' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 hour',
  },
  {
    id: 'top-up-sweep',
    process: topUpSweepProcess,
    spec: { intervals: [{ every: '1 hour', offset: '37 minutes' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 hour',
  },
  {
    id: 'kyc-sync',
    process: kycSyncProcess,
    spec: { intervals: [{ every: '6 hours' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '5 hours',
  },
  {
    id: 'ledger-reconciliation',
    process: ledgerReconciliationProcess,
    spec: { calendars: [{ hour: 3, minute: 0, comment: 'when little moves' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 day',
  },
  {
    id: 'retention',
    process: retentionProcess,
    spec: { calendars: [{ hour: 4, minute: 0, comment: 'when little moves' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 day',
  },
];
