import { MINUTE_MS } from '../../kit/values/durations.rules';
import { DAY_MINUTES, QUARTER_MINUTES, THIRTY_DAYS_MINUTES, type SpanMinutes } from './figures.rules';

/** A span of time that one rollup sums up. */
export interface TimeBlock {
  spanMinutes: SpanMinutes;
  startsAt: Date;
}

const QUARTER_MS = QUARTER_MINUTES * MINUTE_MS;

/** The spans of rollups from the longest on; those of days begin anywhere, unless all begin at whole spans of UTC. */
const SPANS: readonly SpanMinutes[] = [THIRTY_DAYS_MINUTES, DAY_MINUTES, QUARTER_MINUTES];
const OF_DAYS: readonly SpanMinutes[] = [DAY_MINUTES, QUARTER_MINUTES];

/**
 * The fewest spans that make up a closed-open interval between two whole quarters of an hour: days that begin anywhere, and quarters;
 * or `inUtc` thirty days and days that begin at whole ones since 1970, and quarters. Throws RangeError for other instants.
 */
export function blocksBetween(from: Date, to: Date, { inUtc = false } = {}): TimeBlock[] {
  const end = to.getTime();
  const blocks: TimeBlock[] = [];
  if (from.getTime() % QUARTER_MS !== 0 || end % QUARTER_MS !== 0)
    throw new RangeError(`${from.toISOString()} to ${to.toISOString()} are no whole quarters of an hour.`);
  for (let start = from.getTime(); start < end;) {
    const begins = start;
    const fits = (minutes: number): boolean =>
      begins + minutes * MINUTE_MS <= end && (!inUtc || begins % (minutes * MINUTE_MS) === 0);
    const spanMinutes = (inUtc ? SPANS : OF_DAYS).find(fits) ?? QUARTER_MINUTES;
    blocks.push({ spanMinutes, startsAt: new Date(start) });
    start += spanMinutes * MINUTE_MS;
  }
  return blocks;
}
