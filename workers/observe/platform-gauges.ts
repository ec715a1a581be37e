import { Gauge, type Registry } from 'prom-client';
import type { PlatformFigures } from '../../db/administration/operations/platform-figures.reads';
import type { ScheduleFigures } from './schedule-figures';

/** Puts figures on the page; with null, those that could not be read vanish from it rather than grow old there. */
export interface PlatformGauges {
  show: (figures: PlatformFigures | null) => void;
  showSchedules: (schedules: ScheduleFigures[] | null) => void;
}

interface LabelledGauge {
  gauge: Gauge;
  label: string | undefined;
}

type Show<Figures> = (figures: Figures) => void;

/** All gauges about the platform as a whole, in a registry. */
export function platformGauges(registry: Registry): PlatformGauges {
  const ofDatabase: LabelledGauge[] = [];
  const ofSchedules: LabelledGauge[] = [];
  const readable = new Gauge({
    name: 'platform_figures_readable',
    help: 'Whether what the platform waits for could be read (1) or not (0), by where it is read from.',
    labelNames: ['source'],
    registers: [registry],
  });
  const adding =
    (gauges: LabelledGauge[]) =>
    (name: string, help: string, label?: string): Gauge => {
      const gauge = new Gauge({ name, help, labelNames: label ? [label] : [], registers: [registry] });
      gauges.push({ gauge, label });
      return gauge;
    };
  const fill = databaseGauges(adding(ofDatabase));
  const fillSchedules = scheduleGauges(adding(ofSchedules));
  return {
    show(figures) {
      clear(ofDatabase);
      readable.set({ source: 'postgresql' }, figures ? 1 : 0);
      if (figures) for (const show of fill) show(figures);
    },
    showSchedules(schedules) {
      clear(ofSchedules);
      readable.set({ source: 'temporal' }, schedules ? 1 : 0);
      if (schedules) fillSchedules(schedules);
    },
  };
}

/** A gauge without labels would be reset to 0, which says that all is well; it is removed instead. */
function clear(gauges: readonly LabelledGauge[]): void {
  for (const { gauge, label } of gauges) {
    if (label === undefined) gauge.remove();
    else gauge.reset();
  }
}

function databaseGauges(add: (name: string, help: string, label?: string) => Gauge): Show<PlatformFigures>[] {
  const one = (
    name: string,
    help: string,
    of: (figures: PlatformFigures) => number,
  ): Show<PlatformFigures> => {
    const gauge = add(name, help);
    return (figures) => gauge.set(of(figures));
  };
  const parked = add('platform_parked_processes', 'Processes that wait for a person.', 'type');
  const parkedSeconds = add(
    'platform_parked_oldest_seconds',
    'How long the first of them has waited.',
    'type',
  );
  const webhooks = add('platform_webhook_events', 'Webhook events that are not done with.', 'status');
  const broken = add('platform_invariants_broken', 'Invariants that the newest check found broken.');
  const checked = add('platform_invariants_checked_seconds', 'How long ago the newest check was.');
  return [
    one('platform_outbox_waiting_messages', 'Messages to be sent.', ({ outbox }) => outbox.waiting),
    one('platform_outbox_dead_messages', 'Messages given up.', ({ outbox }) => outbox.dead),
    one(
      'platform_outbox_oldest_due_seconds',
      'How long the first message to be sent has been due.',
      ({ outbox }) => outbox.oldestDueSeconds,
    ),
    ({ parked: found }) => {
      for (const { type, processes, oldestSeconds } of found) {
        parked.set({ type }, processes);
        parkedSeconds.set({ type }, oldestSeconds);
      }
    },
    (figures) => {
      for (const { status, events } of figures.webhooks) webhooks.set({ status }, events);
    },
    one(
      'platform_webhook_oldest_unstarted_seconds',
      'How long the first webhook event without a process has waited.',
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

function strayRefundsGauge(add: (name: string, help: string, label: string) => Gauge): Show<PlatformFigures> {
  const help = 'Returns of money that paid no order, begun within a day.';
  const gauge = add('platform_stray_refunds_last_day', help, 'reason');
  return ({ strayRefunds }) => {
    for (const { reason, refunds } of strayRefunds) gauge.set({ reason }, refunds);
  };
}

function scheduleGauges(
  add: (name: string, help: string, label?: string) => Gauge,
): Show<readonly ScheduleFigures[]> {
  const lag = add('platform_schedule_lag_seconds', 'How long the next run has been overdue.', 'schedule');
  const running = add(
    'platform_schedule_running_seconds',
    'How long the run under way has been going.',
    'schedule',
  );
  const paused = add('platform_schedule_paused', 'Whether an operator paused it.', 'schedule');
  const missed = add('platform_schedule_missed_runs', 'Runs given up after an outage.', 'schedule');
  return (schedules) => {
    for (const { id: schedule, lagSeconds, runningSeconds, ...figures } of schedules) {
      lag.set({ schedule }, lagSeconds);
      running.set({ schedule }, runningSeconds);
      paused.set({ schedule }, figures.paused ? 1 : 0);
      missed.set({ schedule }, figures.missed);
    }
  };
}
