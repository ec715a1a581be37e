import { execute, type Tx } from '../../../sql/query';
import { HOUR_MS } from '../../../../workflows/kit/values/durations.rules';
import { OUR_COLUMNS, OUR_MOVEMENTS } from './our-movements';

/** One comparison of a day that was read. */
export interface Comparison {
  runId: string;
  provider: string;
  day: string;
  startsAt: Date;
  endsAt: Date;
  /** The first day of which everything is kept that the provider said; what is older is left to a person. */
  keptFrom: string;
  at: Date;
}

/** We may record a movement so long before the provider's time of it: clocks differ, and what we ask for is carried out later. */
const EARLY_HOURS = 6;
/** We may record a movement so long after the provider's time of it: reports arrive late, and are sent again. */
const LATE_HOURS = 24;
export const EARLY = `interval '${EARLY_HOURS} hours'`;
export const LATE = `interval '${LATE_HOURS} hours'`;

/** The times at which we have recorded what can be judged because this day is read: `to` is excluded. */
export const recordedAbout = ({
  startsAt,
  endsAt,
}: Pick<Comparison, 'startsAt' | 'endsAt'>): { from: Date; to: Date } => ({
  from: new Date(startsAt.getTime() - EARLY_HOURS * HOUR_MS),
  to: new Date(endsAt.getTime() + LATE_HOURS * HOUR_MS),
});

/** The id that a text is, or null; so that an index of ids finds its row. */
const idOf = (text: string): string =>
  `CASE WHEN pg_input_is_valid(${text}, 'uuid') THEN (${text})::uuid END`;

/** The columns of the movement `m` of the provider; a temporary table of a comparison has these. */
const SAID = `m.kind, m.provider_id, coalesce(m.chargeback_id, m.provider_id) AS known_as, m.reference,
  ${idOf(`split_part(m.reference, ':', 1)`)} AS reference_id, m.reverses, m.day, m.amount_minor, m.currency, m.occurred_at`;

const SAID_COLUMNS = `kind text NOT NULL, provider_id text NOT NULL, known_as text NOT NULL, reference text,
  reference_id uuid, reverses text, day date NOT NULL, amount_minor bigint NOT NULL, currency text NOT NULL,
  occurred_at timestamptz NOT NULL`;

const OPEN_DIFFERENCES = `
  SELECT d.id, d.kind, d.movement_kind, d.provider_id, d.our_id, ${idOf('d.our_id')}, d.day, d.run_id IS NULL
    FROM reconciliation_differences d WHERE d.provider = $1 AND d.resolved_at IS NULL AND d.day >= $2::date`;

/** Movements that the provider lists on the day, those that they undo, and those of open differences. */
const NOTED = `
  SELECT ${SAID} FROM provider_movements m WHERE m.provider = $1 AND m.day = $2::date
  UNION SELECT ${SAID} FROM open_differences d JOIN provider_movements m
    ON m.provider = $1 AND m.kind = d.movement_kind AND m.provider_id = d.provider_id
  UNION SELECT ${SAID} FROM provider_movements r JOIN provider_movements m
    ON m.provider = $1 AND m.kind = r.kind AND m.provider_id = r.reverses
   WHERE r.provider = $1 AND r.day = $2::date`;

/**
 * Our movements of about the day (`$2` to `$3`), those of the movements that the provider said, and those of open differences.
 * Each is selected by one condition at a time, so that each can use an index. One that is pending is judged only together
 * with what the provider said of it.
 */
const OURS = OUR_MOVEMENTS.flatMap(({ kind, isPending, sql, foundBy }) => {
  const select = `SELECT '${kind}' AS kind, o.*, ${isPending}`;
  return [
    ...(isPending ? [] : [`${select} FROM (${sql}) AS o WHERE o.at >= $2 AND o.at < $3`]),
    ...foundBy.said.map(
      (condition) =>
        `${select} FROM noted_movements m JOIN (${sql}) AS o ON ${condition} WHERE m.kind = '${kind}'`,
    ),
    `${select} FROM open_differences d JOIN (${sql}) AS o ON ${foundBy.open} WHERE d.movement_kind = '${kind}'`,
  ];
}).join('\n  UNION ');

/** True unless the movement `m` was undone as a whole by another one that the provider said, or undid one: the two are as none. */
const STANDS = `NOT EXISTS (SELECT 1 FROM provider_movements r WHERE r.provider = $1 AND r.kind = m.kind
      AND r.reverses = m.provider_id AND r.amount_minor = -m.amount_minor AND r.currency = m.currency)
    AND NOT EXISTS (SELECT 1 FROM provider_movements f WHERE f.provider = $1 AND f.kind = m.kind
      AND f.provider_id = m.reverses AND f.amount_minor = -m.amount_minor AND f.currency = m.currency)`;

const saidOfOurs = (condition: string): string =>
  `SELECT ${SAID} FROM our_movements o JOIN provider_movements m ON m.provider = $1 AND m.kind = o.kind AND ${condition}`;

const THEIRS = `
  SELECT m.* FROM (SELECT * FROM noted_movements
    UNION ${saidOfOurs('m.provider_id = o.provider_id AND m.chargeback_id IS NULL')}
    UNION ${saidOfOurs('m.chargeback_id = o.provider_id')}
    UNION ${saidOfOurs('m.reference = o.reference')}) AS m
  WHERE NOT (m.kind = 'FEE' AND m.reference IS NOT NULL) AND ${STANDS}`;

/**
 * Movements that both sides have: by the provider's id, or by our key where we do not know that id yet. Of several that claim
 * the same one, all but the first are extra; so is a chargeback long after ours: it took the money again, and what was said
 * of the first time may no longer be kept.
 */
const PAIRS = `
  SELECT t.kind, t.provider_id, o.our_id, t.day, o.minor, o.currency, t.amount_minor, t.currency,
      row_number() OVER (PARTITION BY t.kind, t.provider_id ORDER BY o.is_pending, o.at, o.our_id) > 1
        OR row_number() OVER (PARTITION BY t.kind, o.our_id ORDER BY t.occurred_at, t.provider_id) > 1
        OR (t.kind = 'CHARGEBACK' AND t.occurred_at >= o.at + ${LATE})
    FROM (SELECT t.kind, t.provider_id, o.our_id FROM their_movements t
          JOIN our_movements o ON o.kind = t.kind AND o.provider_id = t.known_as
        UNION SELECT t.kind, t.provider_id, o.our_id FROM their_movements t
          JOIN our_movements o ON o.kind = t.kind AND o.reference = t.reference WHERE o.provider_id IS NULL) AS pair
      JOIN their_movements t USING (kind, provider_id) JOIN our_movements o USING (kind, our_id)`;

/**
 * Gathers what a comparison looks at into temporary tables of the transaction: `open_differences`, `noted_movements`,
 * `our_movements`, `their_movements` and `movement_pairs`.
 */
export async function gatherMovements(tx: Tx, comparison: Comparison): Promise<void> {
  const { provider, day, keptFrom } = comparison;
  const { from, to } = recordedAbout(comparison);
  await gather(tx, {
    table: 'open_differences',
    columns: `id uuid NOT NULL, kind text NOT NULL, movement_kind text, provider_id text, our_id text, our_uuid uuid,
      day date NOT NULL, is_reported boolean NOT NULL`,
    ...{ sql: OPEN_DIFFERENCES, bind: [provider, keptFrom] },
  });
  await gather(tx, {
    table: 'noted_movements',
    columns: SAID_COLUMNS,
    ...{ sql: NOTED, bind: [provider, day] },
  });
  await gather(tx, {
    table: 'our_movements',
    columns: OUR_COLUMNS,
    ...{ sql: OURS, bind: [provider, from, to] },
  });
  await gather(tx, { table: 'their_movements', columns: SAID_COLUMNS, sql: THEIRS, bind: [provider] });
  await gather(tx, {
    table: 'movement_pairs',
    columns: `kind text NOT NULL, provider_id text NOT NULL, our_id text NOT NULL, day date NOT NULL,
      our_minor bigint NOT NULL, our_currency text NOT NULL, their_minor bigint NOT NULL, their_currency text NOT NULL,
      is_extra boolean NOT NULL`,
    ...{ sql: PAIRS, bind: [] },
  });
}

/** Fills a new temporary table. Analysed, so that the joins of a day with very many movements are planned for them. */
export async function gather(
  tx: Tx,
  { table, columns, sql, bind }: { table: string; columns: string; sql: string; bind: readonly unknown[] },
): Promise<void> {
  await execute(tx, `CREATE TEMPORARY TABLE ${table} (${columns}) ON COMMIT DROP`);
  await execute(tx, `INSERT INTO ${table} ${sql}`, bind);
  await execute(tx, `ANALYZE ${table}`);
}
