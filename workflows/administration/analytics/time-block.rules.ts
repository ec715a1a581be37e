import { DAY_MINUTES, QUARTER_MINUTES, type SpanMinutes } from './figures.rules';

/** A span of time that one rollup sums up. */
export interface TimeBlock {
  spanMinutes: SpanMinutes;
  startsAt: Date;
}

const MINUTE_MS = 60_000;
const DAY_MS = DAY_MINUTES * MINUTE_MS;
const QUARTER_MS = QUARTER_MINUTES * MINUTE_MS;

/**
 * The fewest days and quarters of an hour that make up a closed-open interval between two whole quarters of an hour. Days begin
 * anywhere, or `inUtc` at midnight. Throws RangeError for other instants.
 */
export function blocksBetween(from: Date, to: Date, { inUtc = false } = {}): TimeBlock[] {
  const end = to.getTime();
  const blocks: TimeBlock[] = [];
  if (from.getTime() % QUARTER_MS !== 0 || end % QUARTER_MS !== 0)
    throw new RangeError(`${from.toISOString()} to ${to.toISOString()} are no whole quarters of an hour.`);
  for (let start = from.getTime(); start < end;) {
    const isDay = start + DAY_MS <= end && (!inUtc || start % DAY_MS === 0);
    const spanMinutes = isDay ? DAY_MINUTES : QUARTER_MINUTES;
    blocks.push({ spanMinutes, startsAt: new Date(start) });
    start += spanMinutes * MINUTE_MS;
  }
  return blocks;
}
