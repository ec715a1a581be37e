import { z } from 'zod';
import type { Db } from '../../../../db/sql/query';
import type { Route } from '../../../http/endpoint';
import type { Figure } from '../../../../workflows/administration/analytics/figures.rules';
import { PERIODS } from '../../../../workflows/administration/analytics/period.rules';
import { GranularityField } from '../../../http/request/fields';
import type { Sums } from './sums';

/** The sums that the figures of a point are made of. */
export interface PointSums {
  /** Of the time of the point. */
  within: Sums;
  /** Of all time up to its end, of the figures that are counted before the range. */
  upTo: Sums;
}

/** The sums that a breakdown is made of. */
export interface RangeSums {
  /** Of the range, of figures that are divided by points too. */
  within: Sums;
  /** Of the range, of figures that are not. */
  ofRange: Sums;
  /** Of all time up to the end of the range, of the figures that are counted before the range. */
  atEnd: Sums;
}

/** A page of analytics: the endpoint that shows it, and the one that exports its timeline. */
export interface AnalyticsPage {
  name: string;
  show: Route & { method: 'get' };
  export: Route & { method: 'get' };
  summary: string;
  /** The figures of a point, and of the summary. */
  point: z.ZodObject<Record<string, z.ZodNumber>>;
  breakdown: z.ZodObject;
  figures: readonly Figure[];
  /** Figures of the breakdown that are not divided by time: those of `OF_RANGES`. */
  ofRange: readonly Figure[];
  /** Figures that are counted from the beginning. */
  before: readonly Figure[];
  pointOf: (sums: PointSums) => Record<string, number>;
  breakdownOf: (sums: RangeSums, db: Db) => Promise<unknown>;
}

export const PeriodField = z.enum(PERIODS).meta({
  id: 'AnalyticsPeriod',
  description: 'The days up to today, today included.',
  example: '30d',
});

/** The most lines of a part of a breakdown. */
export const MOST_LINES = 100;

/** The number of the things that a text names. `when`: by which time they belong to a point. */
export const count = (what: string, when: string) =>
  z.number().meta({ description: `${what} Counted ${when}.`, example: 12 });
/** An amount in major units of the currency of the answer. */
export const amount = (what: string, when: string) =>
  z
    .number()
    .meta({ description: `${what} Counted ${when}, in major units of \`currency\`.`, example: 1234.5 });
export const hours = (what: string, when: string) =>
  z.number().meta({ description: `${what} Counted ${when}.`, example: 5.25 });

/** The day of a point, in the time zone of the query. */
export const dateField = {
  date: z.iso.date().meta({
    description:
      'The day; of a week or a month the first day that is in the range. The point ends before the next one, the last with the range.',
    example: '2026-01-01',
  }),
};

/** The range of a summary, in days of the time zone of the query. */
export const rangeFields = {
  from: z.iso.date().meta({ description: 'The first day.', example: '2026-01-01' }),
  to: z.iso.date().meta({ description: 'The last day, included.', example: '2026-01-31' }),
  granularity: GranularityField,
  timezone: z.string().meta({ description: 'The time zone in which days begin.', example: 'Europe/Berlin' }),
  currency: z.string().meta({ description: 'The currency of all amounts.', example: 'USD' }),
};
