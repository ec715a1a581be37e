import { Counter, type Registry } from 'prom-client';
import type { ScheduleFigures } from '../schedule-figures';
import type { AddGauge } from './business-gauges';

/** Registers the counter of skipped runs. A counter, because Temporal's own count only rises; it is read anew for each page. */
export const missedRuns = (registry: Registry): Counter =>
  new Counter({
    name: 'platform_schedule_missed_runs_total',
    help: 'Runs that were skipped after an outage, since the schedule was created.',
    labelNames: ['schedule'],
    registers: [registry],
  });

/** Registers the gauges of schedules, and returns the function that sets them, and that counter. */
export function scheduleGauges(
  add: AddGauge,
  missed: Counter,
): (figures: readonly ScheduleFigures[]) => void {
  const lag = add('platform_schedule_lag_seconds', 'Time for which the next run is overdue.', 'schedule');
  const running = add('platform_schedule_running_seconds', 'Duration of the current run.', 'schedule');
  const paused = add(
    'platform_schedule_paused',
    'Whether an operator has paused the schedule (1) or not (0).',
    'schedule',
  );
  const failed = add(
    'platform_schedule_failed_runs_last_day',
    'Runs that failed within 25 hours.',
    'schedule',
  );
  return (schedules) => {
    for (const { id: schedule, lagSeconds, runningSeconds, ...figures } of schedules) {
      lag.set({ schedule }, lagSeconds);
      running.set({ schedule }, runningSeconds);
      paused.set({ schedule }, figures.paused ? 1 : 0);
      missed.inc({ schedule }, figures.missed);
      failed.set({ schedule }, figures.failed);
    }
  };
}
