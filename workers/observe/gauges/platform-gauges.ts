import { Gauge, type Counter, type Registry } from 'prom-client';
import type { BusinessFigures } from '../../../db/administration/operations/business-figures.reads';
import type { PlatformFigures } from '../../../db/administration/operations/platform-figures.reads';
import { processes } from '../../../db/program/processes';
import { businessGauges, type AddGauge } from './business-gauges';
import { investmentGauges } from './investment-gauges';
import { kycGauges } from './kyc-gauges';
import { refundGauges } from './refund-gauges';
import { eventGauges, partnerGauges, reconciliationGauges, reportGauges } from './report-gauges';
import type { ScheduleFigures } from '../schedule-figures';
import { missedRuns, scheduleGauges } from './schedule-gauges';
import { transferGauges } from './transfer-gauges';

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

/** Adds a gauge without labels. */
type OneGauge = (
  name: string,
  help: string,
  of: (figures: PlatformFigures) => number,
) => Show<PlatformFigures>;

const outboxGauges = (one: OneGauge): Show<PlatformFigures>[] => [
  one('platform_outbox_waiting_messages', 'Messages that wait to be sent.', ({ outbox }) => outbox.waiting),
  one(
    'platform_outbox_dead_messages',
    'Messages that were given up and can be sent again.',
    ({ outbox }) => outbox.dead,
  ),
  one(
    'platform_outbox_dead_last_hour',
    'The same, given up within the last hour.',
    ({ outbox }) => outbox.deadLastHour,
  ),
  one(
    'platform_outbox_oldest_due_seconds',
    'Time for which the oldest waiting message has been due.',
    ({ outbox }) => outbox.oldestDueSeconds,
  ),
];

function databaseGauges(add: AddGauge): Show<PlatformFigures>[] {
  const one: OneGauge = (name, help, of) => {
    const gauge = add(name, help);
    return (figures) => gauge.set(of(figures));
  };
  const webhooks = add('platform_webhook_events', 'Webhook events that are not processed.', 'status');
  const broken = add('platform_invariants_broken', 'Invariants that the latest check found broken.');
  const checked = add('platform_invariants_checked_seconds', 'Time since the latest check.');
  return [
    ...outboxGauges(one),
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
    areaGauges(add),
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
    one(
      'platform_analytics_waiting_facts',
      'Facts that no rollup of figures counts yet.',
      (figures) => figures.waitingFacts,
    ),
    ({ brokenInvariants }) => {
      if (!brokenInvariants) return;
      broken.set(brokenInvariants.count);
      checked.set(brokenInvariants.checkedSecondsAgo);
    },
  ];
}

/** The gauges of single areas. */
function areaGauges(add: AddGauge): Show<PlatformFigures> {
  const showKyc = kycGauges(add);
  const showInvestment = investmentGauges(add);
  const showTransfers = transferGauges(add);
  const showRefunds = refundGauges(add);
  const showReports = reportGauges(add);
  const showEvents = eventGauges(add);
  const showPartners = partnerGauges(add);
  const showReconciliation = reconciliationGauges(add);
  return ({ kyc, investment, transfers, owedRefunds, reports, events, reconciliation, ...partners }) => {
    showKyc(kyc);
    showInvestment(investment);
    showTransfers(transfers);
    showRefunds(owedRefunds);
    showReports(reports);
    showEvents(events);
    showPartners(partners);
    showReconciliation(reconciliation);
  };
}

function parkedGauges(add: AddGauge): Show<PlatformFigures> {
  const parked = add('platform_parked_processes', 'Processes that wait for an operator.', 'type');
  const oldest = add('platform_parked_oldest_seconds', 'Waiting time of the oldest of them.', 'type');
  return (figures) => {
    // The gauges of processes that can park are 0 while none does.
    for (const { type } of processes.filter(({ parks }) => parks)) {
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
