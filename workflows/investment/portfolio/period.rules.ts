import { DAY_MS } from '../../kit/values/durations.rules';

export const PERIODS = ['WEEK', 'MONTH', 'QUARTER', 'YEAR', 'ALL'] as const;
export type Period = (typeof PERIODS)[number];

export const GRANULARITIES = ['DAY', 'WEEK', 'MONTH'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** The most points of a course: ten years of days. */
export const MOST_POINTS = 3_660;

const MONTHS = { MONTH: 1, QUARTER: 3, YEAR: 12 } as const;

/** The UTC date (ISO 8601) of a moment. */
export const dateOf = (moment: Date): string => moment.toISOString().slice(0, 10);

/** The date so many days later. */
export const dateAfter = (date: string, days: number): string =>
  dateOf(new Date(Date.parse(date) + days * DAY_MS));

/**
 * The first day of a period that ends on a day: seven days before, or the same day one, three or twelve months before
 * (the last of its month where that has no such day). ALL begins on the day of the first transaction.
 */
export function firstDay(period: Period, lastDay: string, firstTransaction: string | null): string {
  if (period === 'ALL') return firstTransaction ?? lastDay;
  return period === 'WEEK' ? dateAfter(lastDay, -7) : monthsBefore(lastDay, MONTHS[period]);
}

function monthsBefore(date: string, months: number): string {
  const day = new Date(date);
  const before = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - months + 1, 0));
  const lastOfMonth = before.getUTCDate();
  before.setUTCDate(Math.min(day.getUTCDate(), lastOfMonth));
  return dateOf(before);
}

/**
 * The dates of a course, in order: every day, every Sunday (ISO 8601 weeks end on it) or the last day of every month, and
 * the last day of the period. Of more than `MOST_POINTS` the latest.
 */
export function pointsOf(granularity: Granularity, first: string, last: string): string[] {
  const points: string[] = [];
  for (let date = last; date >= first && points.length < MOST_POINTS; date = pointBefore(granularity, date))
    points.push(date);
  return points.reverse();
}

function pointBefore(granularity: Granularity, date: string): string {
  if (granularity === 'DAY') return dateAfter(date, -1);
  const day = new Date(date);
  if (granularity === 'WEEK') return dateAfter(date, -(day.getUTCDay() || 7));
  return dateOf(new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 0)));
}
