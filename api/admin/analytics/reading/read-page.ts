import {
  BEFORE_RANGE,
  figureSums,
  WHOLE_RANGE,
  type FigureSum,
} from '../../../../db/administration/analytics/figures.reads';
import type { Db } from '../../../../db/sql/query';
import { refusal } from '../../../../workflows/errors';
import { rangeOf, type AnalyticsQuery, type Range } from './analytics-query';
import type { AnalyticsPage } from './page';
import { RunningSums, Sums } from './sums';

/** The range of a query that was found usable. Refused: VALIDATION_ERROR if midnight has made it unusable since. */
export function requireRange(query: AnalyticsQuery): Range {
  const range = rangeOf(query, new Date());
  if ('field' in range)
    throw refusal('VALIDATION_ERROR', 'A new day has begun, and the range cannot be answered any more.', {
      [range.field]: [range.message],
    });
  return range;
}

/** The figures of a range: as a whole, by point, and their breakdown. */
export async function readPage(db: Db, page: AnalyticsPage, range: Range) {
  const { points, boundaries, currency, from, to, granularity, timezone } = range;
  const found = await figureSums(db, { ...page, boundaries, currency });
  const sumsOf = (fits: (bucket: number) => boolean): Sums =>
    new Sums(
      found.filter(({ bucket }) => fits(bucket)),
      currency,
    );
  const byPoint = points.map((): FigureSum[] => []);
  for (const sum of found) byPoint[sum.bucket]?.push(sum);
  const within = sumsOf((bucket) => bucket >= 0);
  const ofRange = sumsOf((bucket) => bucket === WHOLE_RANGE);
  const atEnd = new Sums(
    found.filter(({ figure }) => page.before.includes(figure)),
    currency,
  );
  const running = new RunningSums(currency);
  const isRunning = ({ figure }: FigureSum): boolean => page.before.includes(figure);
  running.add(found.filter((sum) => isRunning(sum) && sum.bucket === BEFORE_RANGE));
  return {
    summary: {
      ...{ from, to, granularity, timezone, currency },
      ...page.pointOf({ within, upTo: atEnd }),
    },
    timeline: points.map((days, place) => {
      const of = byPoint[place] ?? [];
      running.add(of.filter(isRunning));
      return {
        date: days.from,
        ...page.pointOf({ within: new Sums(of, currency), upTo: running.sums() }),
      };
    }),
    breakdown: await page.breakdownOf({ within, ofRange, atEnd }, db),
  };
}
