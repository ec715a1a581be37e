import { Counter, Gauge, type Registry } from 'prom-client';
import type { BusinessFigures } from '../../db/administration/operations/business-figures.reads';
import type { PlatformFigures } from '../../db/administration/operations/platform-figures.reads';
import { businessGauges, type AddGauge } from './business-gauges';
import { PARKABLE_TYPES } from './parkable-processes';
import type { ScheduleFigures } from './schedule-figures';

/** Sets the gauges; null removes figures that could not be read, so that no outdated value is exported. */
export interface PlatformGauges {
  show: (figures: PlatformFigures | null) => void;
  /** Takes the figures of each window. */
  showBusiness: (windows: readonly (BusinessFigures | null)[]) => void;
  showSchedules: (schedules: ScheduleFigures[] | null) => void;
}

interface LabelledGauge {
  gauge: Gauge | Counter;
  hasLabels: boolean;
}

type Show<Figures> = (figures: Figures) => void;

/** Registers the gauges of the platform as a whole. */
export function platformGauges(registry: Registry): PlatformGauges {
  const ofDatabase: LabelledGauge[] = [];
  const ofBusiness: LabelledGauge[] = [];
  const ofSchedules: LabelledGauge[] = [];
  const readable = new Gauge({
    name: 'platform_figures_readable',
    help: 'Whether the figures of the platform could be read (1) or not (0), by source.',
    labelNames: ['source'],
    registers: [registry],
  });
  const adding =
    (gauges: LabelledGauge[]): AddGauge =>
    (name, help, ...labelNames) => {
      const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
      gauges.push({ gauge, hasLabels: labelNames.length > 0 });
      return gauge;
    };
  const fill = databaseGauges(adding(ofDatabase));
  const fillBusiness = businessGauges(adding(ofBusiness));
  const missed = missedRuns(registry);
  ofSchedules.push({ gauge: missed, hasLabels: true });
  const fillSchedules = scheduleGauges(adding(ofSchedules), missed);
  return {
    show(figures) {
      clear(ofDatabase);
      readable.set({ source: 'postgresql' }, figures ? 1 : 0);
      if (figures) for (const show of fill) show(figures);
    },
    showBusiness(windows) {
      clear(ofBusiness);
      readable.set({ source: 'business' }, windows.includes(null) ? 0 : 1);
      fillBusiness(windows.filter((figures) => figures !== null));
    },
    showSchedules(schedules) {
      clear(ofSchedules);
      readable.set({ source: 'temporal' }, schedules ? 1 : 0);
      if (schedules) fillSchedules(schedules);
    },
  };
}

/** Removes a gauge without labels, because `reset` would set it to 0, a good value. */
function clear(gauges: readonly LabelledGauge[]): void {
  for (const { gauge, hasLabels } of gauges) {
    if (hasLabels) gauge.reset();
    else gauge.remove();
  }
}

function databaseGauges(add: AddGauge): Show<PlatformFigures>[] {
  const one = (
    name: string,
    help: string,
    of: (figures: PlatformFigures) => number,
  ): Show<PlatformFigures> => {
    const gauge = add(name, help);
    return (figures) => gauge.set(of(figures));
  };
  const webhooks = add('platform_webhook_events', 'Webhook events that are not processed.', 'status');
  const broken = add('platform_invariants_broken', 'Invariants that the latest check found broken.');
  const checked = add('platform_invariants_checked_seconds', 'Time since the latest check.');
  return [
    one('platform_outbox_waiting_messages', 'Messages that wait to be sent.', ({ outbox }) => outbox.waiting),
    one(
      'platform_outbox_dead_messages',
      'Messages that could not be sent and are no longer tried.',
      ({ outbox }) => outbox.dead,
    ),
    one(
      'platform_outbox_oldest_due_seconds',
      'Time for which the oldest waiting message has been due.',
      ({ outbox }) => outbox.oldestDueSeconds,
    ),
    parkedGauges(add),
    (figures) => {
      for (const { status, events } of figures.webhooks) webhooks.set({ status }, events);
    },
    one(
      'platform_webhook_oldest_unstarted_seconds',
      'Waiting time of the oldest webhook event without a process.',
      (figures) => figures.oldestUnstartedWebhookSeconds,
    ),
    strayRefundsGauge(add),
    one(
      'platform_ledger_drifts',
      'Balances ever found to differ from their entries.',
      (f) => f.ledgerDrifts.ever,
    ),
    one('platform_ledger_drifts_last_day', 'The same, found within 25 hours.', (f) => f.ledgerDrifts.lastDay),
    one(
      'platform_unanswered_requests',
      'Requests with an Idempotency-Key begun over 5 minutes ago and never answered.',
      (figures) => figures.unansweredRequests,
    ),
    ({ brokenInvariants }) => {
      if (!brokenInvariants) return;
      broken.set(brokenInvariants.count);
      checked.set(brokenInvariants.checkedSecondsAgo);
    },
  ];
}

function parkedGauges(add: AddGauge): Show<PlatformFigures> {
  const parked = add('platform_parked_processes', 'Processes that wait for an operator.', 'type');
  const oldest = add('platform_parked_oldest_seconds', 'Waiting time of the oldest of them.', 'type');
  return (figures) => {
    for (const type of PARKABLE_TYPES) {
      parked.set({ type }, 0);
      oldest.set({ type }, 0);
    }
    for (const { type, processes, oldestSeconds } of figures.parked) {
      parked.set({ type }, processes);
      oldest.set({ type }, oldestSeconds);
    }
  };
}

function strayRefundsGauge(add: AddGauge): Show<PlatformFigures> {
  const help = 'Refunds of money that paid no order, started within a day.';
  const gauge = add('platform_stray_refunds_last_day', help, 'reason');
  return ({ strayRefunds }) => {
    for (const { reason, refunds } of strayRefunds) gauge.set({ reason }, refunds);
  };
}

/** A counter, because Temporal's own count only rises; it is read anew for each page. */
const missedRuns = (registry: Registry): Counter =>
  new Counter({
    name: 'platform_schedule_missed_runs_total',
    help: 'Runs that were skipped after an outage, since the schedule was created.',
    labelNames: ['schedule'],
    registers: [registry],
  });

function scheduleGauges(add: AddGauge, missed: Counter): Show<readonly ScheduleFigures[]> {
  const lag = add('platform_schedule_lag_seconds', 'Time for which the next run is overdue.', 'schedule');
  const running = add('platform_schedule_running_seconds', 'Duration of the current run.', 'schedule');
  const paused = add(
    'platform_schedule_paused',
    'Whether an operator has paused the schedule (1) or not (0).',
    'schedule',
  );
  return (schedules) => {
    for (const { id: schedule, lagSeconds, runningSeconds, ...figures } of schedules) {
      lag.set({ schedule }, lagSeconds);
      running.set({ schedule }, runningSeconds);
      paused.set({ schedule }, figures.paused ? 1 : 0);
      missed.inc({ schedule }, figures.missed);
    }
  };
}
