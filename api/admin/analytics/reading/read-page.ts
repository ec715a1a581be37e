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
import { Sums } from './sums';

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
  const running = found.filter(
    ({ figure, bucket }) => page.before.includes(figure) && bucket !== WHOLE_RANGE,
  );
  const upTo = (last: number): Sums =>
    new Sums(
      running.filter(({ bucket }) => bucket === BEFORE_RANGE || bucket <= last),
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
  return {
    summary: {
      ...{ from, to, granularity, timezone, currency },
      ...page.pointOf({ within, upTo: upTo(points.length) }),
    },
    timeline: points.map((days, place) => ({
      date: days.from,
      ...page.pointOf({ within: new Sums(byPoint[place] ?? [], currency), upTo: upTo(place) }),
    })),
    breakdown: await page.breakdownOf({ within, ofRange, atEnd }, db),
  };
}
