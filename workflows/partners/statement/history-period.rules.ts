import type { Granularity } from '../../administration/analytics/period.rules';
import { poolPeriodAt } from '../pool/pool-period.rules';

/** A day, an ISO 8601 week or a month in UTC: `2026-11-27`, `2026-W48` or `2026-11`. */
export interface HistoryPeriod {
  period: string;
  startsAt: Date;
}

/** The period of a moment. */
function historyPeriodAt(granularity: Granularity, at: Date): HistoryPeriod {
  if (granularity !== 'day') return poolPeriodAt(granularity === 'week' ? 'WEEKLY' : 'MONTHLY', at);
  const period = at.toISOString().slice(0, 10);
  return { period, startsAt: new Date(period) };
}

/** The latest `count` periods up to that of a moment, the latest first. */
export function historyPeriods(granularity: Granularity, now: Date, count: number): HistoryPeriod[] {
  const periods = [historyPeriodAt(granularity, now)];
  for (let last = periods[0]; last && periods.length < count; last = periods.at(-1))
    periods.push(historyPeriodAt(granularity, new Date(last.startsAt.getTime() - 1)));
  return periods;
}
