import type { ReconciliationFigures } from '../../../db/commerce/reconciliation/payouts-stopped.reads';
import type { CommissionFigures } from '../../../db/partners/event/commission-figures.reads';
import type { PoolFigures } from '../../../db/partners/pool/pool-figures.reads';
import type { ReportFigures } from '../../../db/administration/operations/report-figures.reads';
import type { AddGauge } from './business-gauges';

/** Registers the gauges of providers' reports, and answers the function that sets them. */
export function reportGauges(add: AddGauge): (figures: readonly ReportFigures[]) => void {
  const waiting = add(
    'platform_reports_waiting',
    'Reports of providers that wait for what they are about.',
    'kind',
  );
  const oldestWaiting = add(
    'platform_reports_oldest_waiting_seconds',
    'Time since the oldest of them was received.',
    'kind',
  );
  const dead = add(
    'platform_reports_dead',
    'Reports of providers that are DEAD, and that nobody has had applied or discarded.',
    'kind',
  );
  const oldestDead = add(
    'platform_reports_oldest_dead_seconds',
    'Time for which the oldest of them has been DEAD.',
    'kind',
  );
  const deadLastHour = add(
    'platform_reports_dead_last_hour',
    'Those of them that became DEAD within the last hour.',
    'kind',
  );
  return (figures) => {
    for (const { kind, ...of } of figures) {
      waiting.set({ kind }, of.waiting);
      oldestWaiting.set({ kind }, of.oldestWaitingSeconds);
      dead.set({ kind }, of.dead);
      oldestDead.set({ kind }, of.oldestDeadSeconds);
      deadLastHour.set({ kind }, of.deadLastHour);
    }
  };
}

/** Registers the gauges of events and commissions that wait, and answers the function that sets them. */
function commissionGauges(add: AddGauge): (figures: CommissionFigures) => void {
  const oldest = add(
    'platform_commission_oldest_event_seconds',
    'Waiting time of the oldest event that the commission engine has not taken.',
  );
  const nothingTaken = add(
    'platform_commission_nothing_taken_seconds',
    'Time for which the commission engine has taken nothing although an event was due.',
  );
  const waiting = add(
    'platform_commission_waiting_events',
    'Events that the commission engine has not taken, 100,000 at most.',
  );
  const parked = add(
    'platform_commission_parked_events',
    'Events that the commission engine could not count.',
  );
  const held = add(
    'platform_commissions_held',
    'Commissions that have been due for more than a day and are still PENDING, by what holds them; 10,000 at most.',
    'hold',
  );
  return (figures) => {
    oldest.set(figures.oldestWaitingSeconds);
    nothingTaken.set(figures.nothingTakenSeconds);
    waiting.set(figures.waiting);
    parked.set(figures.parked);
    for (const { hold, commissions } of figures.held) held.set({ hold }, commissions);
  };
}

/** Registers the gauges of the comparison with payment providers, and answers the function that sets them. */
export function reconciliationGauges(add: AddGauge): (figures: ReconciliationFigures) => void {
  const differences = add(
    'platform_reconciliation_differences',
    'Differences between the statements of payment providers and ours that are open.',
    'kind',
  );
  const behind = add(
    'platform_reconciliation_behind_seconds',
    'Time since the beginning of the first day that is not compared with a payment provider.',
    'provider',
  );
  return (figures) => {
    for (const { kind, differences: count } of figures.differences) differences.set({ kind }, count);
    for (const { provider, behindSeconds } of figures.providers) behind.set({ provider }, behindSeconds);
  };
}

/** Registers the gauges of commissions and leadership pools, and answers the function that sets them. */
export function partnerGauges(
  add: AddGauge,
): (figures: { commissions: CommissionFigures; pools: PoolFigures }) => void {
  const showCommissions = commissionGauges(add);
  const showPools = poolGauges(add);
  return ({ commissions, pools }) => {
    showCommissions(commissions);
    showPools(pools);
  };
}

/** Registers the gauge of leadership pools that are due, and answers the function that sets it. */
function poolGauges(add: AddGauge): (figures: PoolFigures) => void {
  const oldest = add(
    'platform_pool_oldest_due_seconds',
    'Time since the end of the oldest period without a completed leadership pool.',
  );
  return ({ oldestDueSeconds }) => oldest.set(oldestDueSeconds);
}
