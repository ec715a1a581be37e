import type { ReconciliationFigures } from '../../../db/commerce/reconciliation/payouts-stopped.reads';
import type { EventFigures } from '../../../db/administration/domain-event/event-figures.reads';
import type { HeldCommissions } from '../../../db/partners/commission/held-commissions.reads';
import type { PoolFigures } from '../../../db/partners/pool/pool-figures.reads';
import type { ReportFigures } from '../../../db/administration/operations/report-figures.reads';
import type { AddGauge } from './business-gauges';

/** Registers the gauges of providers' reports, and returns the function that sets them. */
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

/** Registers the gauges of events that wait for their consumers, and returns the function that sets them. */
export function eventGauges(add: AddGauge): (figures: readonly EventFigures[]) => void {
  const oldest = add(
    'platform_event_oldest_due_seconds',
    'Time for which the next event of a consumer has been due.',
    'consumer',
  );
  const position = add(
    'platform_event_oldest_due_position',
    'Position of that event: it changes while events are applied. 0: none is due.',
    'consumer',
  );
  const waiting = add(
    'platform_events_waiting',
    'Events that a consumer has not applied and that are not parked, 100,000 at most.',
    'consumer',
  );
  const parked = add('platform_events_parked', 'Events that a consumer could not apply.', 'consumer');
  return (figures) => {
    for (const { consumer, ...of } of figures) {
      oldest.set({ consumer }, of.oldestDueSeconds);
      position.set({ consumer }, of.oldestDuePosition);
      waiting.set({ consumer }, of.waiting);
      parked.set({ consumer }, of.parked);
    }
  };
}

/** Registers the gauge of commissions that are held, and returns the function that sets it. */
function heldGauge(add: AddGauge): (held: readonly HeldCommissions[]) => void {
  const gauge = add(
    'platform_commissions_held',
    'Commissions that have been due for more than a day and are still PENDING, by what holds them; 10,000 at most.',
    'hold',
  );
  return (held) => {
    for (const { hold, commissions } of held) gauge.set({ hold }, commissions);
  };
}

/** Registers the gauges of the comparison with payment providers, and returns the function that sets them. */
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

/** Registers the gauges of commissions and leadership pools, and returns the function that sets them. */
export function partnerGauges(
  add: AddGauge,
): (figures: { heldCommissions: readonly HeldCommissions[]; pools: PoolFigures }) => void {
  const showHeld = heldGauge(add);
  const showPools = poolGauges(add);
  return ({ heldCommissions, pools }) => {
    showHeld(heldCommissions);
    showPools(pools);
  };
}

/** Registers the gauge of leadership pools that are due, and returns the function that sets it. */
function poolGauges(add: AddGauge): (figures: PoolFigures) => void {
  const oldest = add(
    'platform_pool_oldest_due_seconds',
    'Time since the end of the oldest period without a completed leadership pool.',
  );
  return ({ oldestDueSeconds }) => oldest.set(oldestDueSeconds);
}
