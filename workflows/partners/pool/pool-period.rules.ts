import { DAY_MS } from '../../kit/values/durations.rules';

export const POOL_KINDS = ['WEEKLY', 'MONTHLY'] as const;
export type PoolKind = (typeof POOL_KINDS)[number];

/** A period in UTC: from `startsAt` on, before `endsAt`. */
export interface PoolPeriod {
  kind: PoolKind;
  /** 2026-W47 (ISO 8601 week) or 2026-11. */
  period: string;
  startsAt: Date;
  endsAt: Date;
}

const WEEK_MS = 7 * DAY_MS;
const FIRST_YEAR = 2000;
const LAST_YEAR = 2999;

/** Monday 00:00 UTC of the week of a moment. */
function mondayOf(at: Date): number {
  const day = Math.floor(at.getTime() / DAY_MS) * DAY_MS;
  return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS;
}

/** Monday of the first ISO week of a year, which is the week of 4 January. */
const firstMondayOf = (year: number): number => mondayOf(new Date(Date.UTC(year, 0, 4)));

const twoDigits = (value: number): string => String(value).padStart(2, '0');

function weekAt(at: Date): PoolPeriod {
  const startsAt = mondayOf(at);
  const year = new Date(startsAt + 3 * DAY_MS).getUTCFullYear(); // A week belongs to the year of its Thursday.
  const week = (startsAt - firstMondayOf(year)) / WEEK_MS + 1;
  return {
    ...{ kind: 'WEEKLY', period: `${year}-W${twoDigits(week)}` },
    ...{ startsAt: new Date(startsAt), endsAt: new Date(startsAt + WEEK_MS) },
  };
}

function monthAt(at: Date): PoolPeriod {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  return {
    ...{ kind: 'MONTHLY', period: `${year}-${twoDigits(month + 1)}` },
    ...{ startsAt: new Date(Date.UTC(year, month, 1)), endsAt: new Date(Date.UTC(year, month + 1, 1)) },
  };
}

/** The period of a moment. */
export const poolPeriodAt = (kind: PoolKind, at: Date): PoolPeriod =>
  kind === 'WEEKLY' ? weekAt(at) : monthAt(at);

/** The period of this name; null if there is none, such as week 53 of a year of 52. */
export function poolPeriodNamed(kind: PoolKind, period: string): PoolPeriod | null {
  const parts = (kind === 'WEEKLY' ? /^(\d{4})-W(\d{2})$/ : /^(\d{4})-(\d{2})$/).exec(period);
  const [year, part] = [Number(parts?.[1]), Number(parts?.[2])];
  if (!parts || year < FIRST_YEAR || year > LAST_YEAR) return null;
  const start = kind === 'WEEKLY' ? firstMondayOf(year) + (part - 1) * WEEK_MS : Date.UTC(year, part - 1, 1);
  const found = poolPeriodAt(kind, new Date(start));
  return found.period === period ? found : null;
}

/** The period before. */
export const poolPeriodBefore = ({ kind, startsAt }: PoolPeriod): PoolPeriod =>
  poolPeriodAt(kind, new Date(startsAt.getTime() - 1));

/** The name of a pool in the ids of its process and its bookings, such as weekly:2026-W47. */
export const poolKey = ({ kind, period }: Pick<PoolPeriod, 'kind' | 'period'>): string =>
  `${kind.toLowerCase()}:${period}`;
