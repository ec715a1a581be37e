import type { Attributes } from 'sequelize';
import { THIRTY_DAYS_MINUTES, type Figure } from '../../../workflows/administration/analytics/figures.rules';
import { blocksBetween, type TimeBlock } from '../../../workflows/administration/analytics/time-block.rules';
import { rows, type Db } from '../../sql/query';
import type { AnalyticsRollup } from './analytics-rollup.model';

/** The buckets of sums: 0 and on are those of the timeline. */
export const WHOLE_RANGE = -1;
export const BEFORE_RANGE = -2;

/** The sum of a figure's part in one bucket. */
export type FigureSum = Pick<
  Attributes<AnalyticsRollup>,
  'figure' | 'part' | 'occurrences' | 'amountMinor' | 'seconds'
> & { bucket: number };

export interface WantedSums {
  /** The beginnings of the buckets, and the end of the last one: whole quarters of an hour, in order. */
  boundaries: readonly Date[];
  /** Amounts of this currency; figures about no money are always counted. */
  currency: string;
  /** Summed by bucket. */
  figures: readonly Figure[];
  /** Summed over the whole range; those of `OF_RANGES` only here. */
  ofRange: readonly Figure[];
  /** Summed over all time before the range. */
  before: readonly Figure[];
}

const THIRTY_DAYS_MS = THIRTY_DAYS_MINUTES * 60_000;
/** A larger sum is answered as this, which is the largest amount of the API. */
const MOST = '999999999999999';

const bounded = (sum: string): string => `greatest(least(sum(${sum}), ${MOST}), -${MOST})::bigint AS ${sum}`;

const SUMMED = 'occurrences, amount_minor, seconds';

/** The places of facts that belong to a bucket which is no point. */
const RANGES: Readonly<Record<string, string>> = {
  [`= ${WHOLE_RANGE}`]: '>= 0',
  [`= ${BEFORE_RANGE}`]: '< 0',
};

/**
 * Rollups of blocks, and facts that are not yet in rollups, of some figures. Each block is looked up by the key of the rollups,
 * which OFFSET 0 ensures: the planner believes that reading all rollups that there are is cheaper.
 */
const found = (bucket: string, figures: string, place: string): string => `
  SELECT r.figure, r.part, b.bucket, ${SUMMED} FROM block b CROSS JOIN LATERAL (
    SELECT * FROM analytics_rollups r WHERE r.span_minutes = b.span_minutes AND r.starts_at = b.starts_at
       AND r.figure = ANY (${figures}::text[]) AND r.currency IN ($5, '') OFFSET 0) AS r
   WHERE b.bucket ${bucket}
  UNION ALL
  SELECT figure, part, ${place}, ${SUMMED} FROM live WHERE place ${bucket === '>= 0' ? bucket : RANGES[bucket]}
     AND figure = ANY (${figures}::text[])`;

const SUMS = `
  WITH block AS MATERIALIZED (
    SELECT * FROM unnest($2::int[], $3::timestamptz[], $4::int[]) AS block (span_minutes, starts_at, bucket)
  ), live AS MATERIALIZED (
    SELECT figure, part, width_bucket(starts_at, $6::timestamptz[]) - 1 AS place, sum(occurrences) AS occurrences,
           sum(amount_minor) AS amount_minor, sum(seconds) AS seconds
      FROM analytics_changes
     WHERE currency IN ($5, '') AND starts_at < ($6::timestamptz[])[cardinality($6::timestamptz[])] GROUP BY 1, 2, 3
  )
  SELECT figure, part, bucket, ${bounded('occurrences')}, ${bounded('amount_minor')}, ${bounded('seconds')} FROM (
    ${found('>= 0', '$1', 'place')}
    UNION ALL ${found(`= ${WHOLE_RANGE}`, '$7', String(WHOLE_RANGE))}
    UNION ALL ${found(`= ${BEFORE_RANGE}`, '$8', String(BEFORE_RANGE))}
    UNION ALL
    SELECT figure, part, ${BEFORE_RANGE}, ${SUMMED} FROM analytics_rollups
     WHERE span_minutes = ${THIRTY_DAYS_MINUTES} AND starts_at < $9::timestamptz AND figure = ANY ($8::text[])
       AND currency IN ($5, '')
  ) AS found GROUP BY figure, part, bucket`;

/**
 * The sums of figures by part and bucket; those without facts are left out. Of rollups, and of the facts that are not yet in
 * them: in one statement, so that each fact counts once.
 */
export function figureSums(
  db: Db,
  { boundaries, currency, figures, ofRange, before }: WantedSums,
): Promise<FigureSum[]> {
  const blocks = blocksOf(boundaries, { ofRange: ofRange.length > 0, before: before.length > 0 });
  return rows(db, SUMS, [
    figures,
    blocks.map(({ spanMinutes }) => spanMinutes),
    blocks.map(({ startsAt }) => startsAt),
    blocks.map(({ bucket }) => bucket),
    ...[currency, boundaries, ofRange, before, thirtyDaysOf(boundaries)],
  ]);
}

/** The beginning of the thirty days in which the range begins. */
const thirtyDaysOf = ([from]: readonly Date[]): Date =>
  new Date(Math.floor((from?.getTime() ?? 0) / THIRTY_DAYS_MS) * THIRTY_DAYS_MS);

/** The spans of every bucket, and those of the whole range and of the part of thirty days before it. */
function blocksOf(boundaries: readonly Date[], wanted: { ofRange: boolean; before: boolean }) {
  const from = boundaries[0];
  const to = boundaries.at(-1);
  if (!from || !to) return [];
  const of = (bucket: number, blocks: TimeBlock[]) => blocks.map((block) => ({ ...block, bucket }));
  return [
    ...boundaries
      .slice(1)
      .flatMap((end, bucket) => of(bucket, blocksBetween(boundaries[bucket] ?? end, end))),
    ...(wanted.ofRange ? of(WHOLE_RANGE, blocksBetween(from, to, { inUtc: true })) : []),
    ...(wanted.before ? of(BEFORE_RANGE, blocksBetween(thirtyDaysOf(boundaries), from)) : []),
  ];
}
