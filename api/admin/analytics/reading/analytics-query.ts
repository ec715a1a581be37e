import { z } from 'zod';
import {
  dayAfter,
  daysOf,
  MOST_POINTS,
  pointsOf,
  type Days,
  type Granularity,
} from '../../../../workflows/administration/analytics/period.rules';
import { zonedCalendar } from '../../../../workflows/administration/analytics/zoned-day.rules';
import { PLATFORM_CURRENCY } from '../../../../workflows/commerce/money.rules';
import { calendarDay } from '../../../http/request/fields';
import { timezone } from '../../../http/request/person-fields';
import { PeriodField } from './page';
import { GranularityField } from '../../../http/request/fields';

const DEFAULT_PERIOD = '30d';
/** Before 1972 some time zones were not a whole number of quarter hours off UTC. */
const EARLIEST = '2000-01-01';

const fields = z.object({
  period: PeriodField.optional().meta({
    description: `The days up to today, today included. Without it and without dates: ${DEFAULT_PERIOD}.`,
  }),
  dateFrom: calendarDay()
    .optional()
    .meta({ description: 'The first day, instead of a period.', example: '2026-01-01' }),
  dateTo: calendarDay()
    .optional()
    .meta({ description: 'The last day, included; today if left out.', example: '2026-01-31' }),
  granularity: GranularityField.default('day').meta({
    description: `What a point of the timeline is; a week is an ISO week. At most ${MOST_POINTS} points.`,
  }),
  timezone: timezone()
    .default('UTC')
    .meta({ description: 'The IANA time zone in which days begin.', example: 'Europe/Berlin' }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a currency code like EUR')
    .default(PLATFORM_CURRENCY)
    .meta({ description: 'Only what was paid in this currency; amounts are in its major units.' }),
});

export type AnalyticsQuery = z.output<typeof fields>;

/** The range of a query, divided into points. */
export interface Range extends Days {
  granularity: Granularity;
  timezone: string;
  currency: string;
  /** The points of the timeline, of which there is at least one. */
  points: Days[];
  /** The beginnings of the points, and the end of the last one. */
  boundaries: Date[];
}

interface Unusable {
  field: 'period' | 'dateFrom' | 'dateTo' | 'granularity';
  message: string;
}

/** The range of a query at an instant, or what is wrong with it. */
export function rangeOf(query: AnalyticsQuery, now: Date): Range | Unusable {
  const { granularity, timezone: zone, currency } = query;
  const calendar = zonedCalendar(zone);
  const days = daysOfQuery(query, calendar.dayOf(now));
  if ('field' in days) return days;
  const points = pointsOf(days, granularity);
  if (!points)
    return { field: 'granularity', message: `must be coarser: there are more than ${MOST_POINTS} points` };
  const boundaries = [...points.map(({ from }) => from), dayAfter(days.to)].map(calendar.startOf);
  return { ...days, granularity, timezone: zone, currency, points, boundaries };
}

function daysOfQuery({ period, dateFrom, dateTo }: AnalyticsQuery, today: string): Days | Unusable {
  if (period !== undefined && (dateFrom ?? dateTo) !== undefined)
    return { field: 'period', message: 'must not be given together with dates' };
  if (dateFrom === undefined)
    return dateTo === undefined
      ? daysOf(period ?? DEFAULT_PERIOD, today)
      : { field: 'dateFrom', message: 'must be given with dateTo' };
  if (dateFrom < EARLIEST) return { field: 'dateFrom', message: `must not be before ${EARLIEST}` };
  const to = dateTo ?? today;
  if (to < dateFrom)
    return dateTo === undefined
      ? { field: 'dateFrom', message: 'must not be after today' }
      : { field: 'dateTo', message: 'must not be before dateFrom' };
  return { from: dateFrom, to };
}

/** The relations of fields are only looked at when each of them is right. */
export const analyticsQuery = fields.superRefine((query, check) => {
  if (check.issues.length > 0) return;
  const range = rangeOf(query, new Date());
  if ('field' in range) check.addIssue({ code: 'custom', path: [range.field], message: range.message });
});
