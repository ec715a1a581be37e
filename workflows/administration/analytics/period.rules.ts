import { DAY_MS } from '../../kit/values/durations.rules';

export const PERIODS = ['7d', '30d', '90d', '1y'] as const;
export type Period = (typeof PERIODS)[number];

export const GRANULARITIES = ['day', 'week', 'month'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** The most points of a timeline: a year and a month by days. */
export const MOST_POINTS = 400;

const DAYS: Readonly<Record<Exclude<Period, '1y'>, number>> = { '7d': 7, '30d': 30, '90d': 90 };

/** Days of a calendar, both inclusive, written like 2026-01-31. */
export interface Days {
  from: string;
  to: string;
}

/** The day so many days later. */
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** The days of a period that ends with `today`. A year begins on the day after the same day of the year before. */
export function daysOf(period: Period, today: string): Days {
  if (period !== '1y') return { from: dayAfter(today, 1 - DAYS[period]), to: today };
  const lastYear = `${String(Number(today.slice(0, 4)) - 1).padStart(4, '0')}${today.slice(4)}`;
  // The year before a leap year's 29 February has none; its 28th is the last day that is over.
  return { from: dayAfter(lastYear.replace(/-02-29$/, '-02-28')), to: today };
}

/**
 * The points of a timeline: days, ISO weeks (from Monday) or months, of which the first and the last are cut to the days that
 * are requested. Null when there would be more than `MOST_POINTS`.
 */
export function pointsOf({ from, to }: Days, granularity: Granularity): Days[] | null {
  const points: Days[] = [];
  for (let start = from; start <= to;) {
    if (points.length === MOST_POINTS) return null;
    const end = lastDayOf(start, granularity);
    points.push({ from: start, to: end < to ? end : to });
    start = dayAfter(end);
  }
  return points;
}

/** The last day of the day, week or month that a day is in. */
function lastDayOf(day: string, granularity: Granularity): string {
  if (granularity === 'day') return day;
  const date = new Date(Date.parse(day));
  if (granularity === 'week') return dayAfter(day, (7 - date.getUTCDay()) % 7);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).toISOString().slice(0, 10);
}
