import { z } from 'zod';
import type {
  CourseDay,
  PortfolioTransaction,
  StrategyCourse,
} from '../../../db/investment/portfolio/performance.reads';
import { figureInMajor, PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import { percentage } from '../../../workflows/investment/portfolio/percentage.rules';
import { resultOf, timeWeighted } from '../../../workflows/investment/portfolio/performance.rules';
import {
  dateAfter,
  dateOf,
  PERIODS,
  pointsOf,
  type Granularity,
  type Period,
} from '../../../workflows/investment/portfolio/period.rules';

export const MOST_TRANSACTIONS = 500;

const percent = (description: string) => z.number().meta({ description, example: 4.2 });

export const PerformanceHistory = z
  .object({
    period: z.enum(PERIODS).describe('The time that is shown, until now.'),
    periodStart: z.iso.datetime().describe('The beginning of the period.'),
    periodEnd: z.iso.datetime().describe('The end of the period: now.'),
    metrics: z
      .object({
        startValue: z.number().describe('The value at the beginning of the period.'),
        endValue: z.number().describe('The value at the end of the period.'),
        totalReturns: z.number().meta({ description: 'What was earned or lost in the period.' }),
        percentageReturn: percent(
          '`totalReturns` in percent of `startValue` and the principal put in since then.',
        ),
        annualizedReturn: percent(
          'The money-weighted rate a year (XIRR) in percent where money was there for 365 days, else `percentageReturn`.',
        ),
      })
      .describe('The figures of the period.'),
    timeline: z
      .array(
        z.object({
          date: z.iso.date().describe('The day, in UTC.'),
          portfolioValue: z.number().meta({ description: 'At the end of the day.' }),
          invested: z.number().meta({ description: 'All principal put in until then.' }),
          returns: z
            .number()
            .meta({ description: 'What was earned or lost until then, since the beginning.' }),
          cumulativeReturn: percent('The time-weighted return since the start of the period.'),
        }),
      )
      .describe('The course in points, oldest first.'),
    byStrategy: z
      .array(
        z.object({
          strategyId: z.uuid().describe('The strategy that it is of.'),
          strategyName: z.string().describe('The name of the strategy.'),
          startValue: z.number().describe('The value at the beginning of the period.'),
          endValue: z.number().describe('The value at the end of the period.'),
          returns: z.number().describe('What was earned or lost in the period.'),
          percentageReturn: z.number().describe('`returns` in percent of what was there and was put in.'),
        }),
      )
      .describe('By strategy.'),
    transactions: z
      .array(
        z.object({
          date: z.iso.datetime().describe('When it was entered.'),
          type: z.enum(['INVESTMENT', 'RETURN', 'WITHDRAWAL']).describe('The kind of transaction.'),
          amount: z.number(),
          strategyName: z.string().describe('The name of the strategy.'),
        }),
      )
      .meta({ description: 'Newest first. A penalty is a withdrawal too.' }),
  })
  .meta({ id: 'PerformanceHistory' });
type View = z.input<typeof PerformanceHistory>;

const TYPES = {
  DEPOSIT: 'INVESTMENT',
  PROFIT: 'RETURN',
  WITHDRAWAL: 'WITHDRAWAL',
  PENALTY: 'WITHDRAWAL',
} as const;

const major = (minor: number): number => figureInMajor(minor, PLATFORM_CURRENCY);

/** The view of a period that begins on the day `first`. */
export function performanceView(
  { period, granularity, first, now }: { period: Period; granularity: Granularity; first: string; now: Date },
  found: {
    course: readonly CourseDay[];
    strategies: readonly StrategyCourse[];
    transactions: readonly PortfolioTransaction[];
  },
): View {
  const today = dateOf(now);
  const within = {
    startDate: dateAfter(first, -1),
    startValueMinor: found.course.findLast(({ date }) => date < first)?.valueMinor ?? 0,
    endDate: today,
    days: found.course.filter(({ date }) => date >= first),
  };
  const result = resultOf(within);
  return {
    period,
    periodStart: new Date(first).toISOString(),
    periodEnd: now.toISOString(),
    metrics: {
      startValue: major(within.startValueMinor),
      endValue: major(result.endValueMinor),
      totalReturns: major(result.gainMinor),
      percentageReturn: percentage(result.return),
      annualizedReturn: percentage(result.annualized),
    },
    timeline: timelineView(pointsOf(granularity, first, today), found.course, timeWeighted(within)),
    byStrategy: found.strategies.map(strategyView),
    transactions: found.transactions.map((row) => ({
      date: row.occurredAt.toISOString(),
      type: TYPES[row.type],
      amount: major(row.amountMinor),
      strategyName: row.strategyName,
    })),
  };
}

/** The standing on each date: that of the last day with a change until then. `returns` are of the latest days. */
function timelineView(
  dates: readonly string[],
  course: readonly CourseDay[],
  returns: readonly number[],
): View['timeline'] {
  const before = course.length - returns.length;
  let at = -1;
  return dates.map((date) => {
    while ((course[at + 1]?.date ?? '9999') <= date) at += 1;
    const { valueMinor = 0, investedMinor = 0, paidOutMinor = 0 } = course[at] ?? {};
    return {
      date,
      portfolioValue: major(valueMinor),
      invested: major(investedMinor),
      returns: major(valueMinor + paidOutMinor - investedMinor),
      cumulativeReturn: percentage(returns[at - before] ?? 0),
    };
  });
}

function strategyView(row: StrategyCourse): View['byStrategy'][number] {
  const { startValueMinor, endValueMinor, inMinor, outMinor } = row;
  const gainMinor = endValueMinor - startValueMinor - inMinor + outMinor;
  const whole = startValueMinor + inMinor;
  return {
    strategyId: row.strategyId,
    strategyName: row.strategyName,
    startValue: major(startValueMinor),
    endValue: major(endValueMinor),
    returns: major(gainMinor),
    percentageReturn: whole > 0 ? percentage(gainMinor / whole) : 0,
  };
}
