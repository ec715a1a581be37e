import { v7 } from 'uuid';
import { execute, firstRow, rows, type Tx } from '../../sql/query';
import { countedIn, type EarlierRuns } from './pool-sales.reads';
import type { PoolPeriod } from '../../../workflows/partners/pool/pool-period.rules';

/** The figures that a pool is computed from. */
export interface PoolTerms {
  programmeVersion: number;
  rateBp: number;
  minimumVolumeMinor: number;
  currency: string;
}

export interface PoolFigures {
  baseMinor: number;
  poolMinor: number;
  denominator: string;
  participants: number;
  distributedMinor: number;
}

/** The terms of a period: those of the programme that is in force at its end. */
export async function poolTerms(tx: Tx, { kind, endsAt }: PoolPeriod, currency: string): Promise<PoolTerms> {
  const found = await firstRow<Omit<PoolTerms, 'currency'>>(
    tx,
    `SELECT version AS programme_version,
            CASE $1 WHEN 'WEEKLY' THEN pool_weekly_bp ELSE pool_monthly_bp END AS rate_bp,
            CASE $1 WHEN 'WEEKLY' THEN pool_weekly_volume_minor ELSE pool_monthly_volume_minor END
              AS minimum_volume_minor
       FROM partner_programmes WHERE valid_from < $2 ORDER BY valid_from DESC LIMIT 1`,
    [kind, endsAt],
  );
  if (!found) throw new Error('No version of the partner programme was in force.');
  return { ...found, currency };
}

/**
 * Counts the sales of a run into temporary tables of the transaction: `pool_volumes` has the legs of every partner with
 * sales below. The tree is added up from its deepest level, so that each partner is looked at once. `check` is called
 * between statements and may throw.
 */
export async function countPoolVolumes(
  tx: Tx,
  period: PoolPeriod,
  { currency, earlier }: { currency: string; earlier: EarlierRuns },
  check: () => void,
): Promise<void> {
  await execute(
    tx,
    `CREATE TEMPORARY TABLE pool_sales ON COMMIT DROP AS
       SELECT s.partner_id, p.sponsor_id, nlevel(p.path) AS depth, s.own_minor FROM (
         SELECT partner_id, sum(base_minor)::bigint AS own_minor FROM partner_sales
          WHERE ${countedIn(period, earlier)} AND currency = '${currency}' AND partner_id IS NOT NULL
          GROUP BY partner_id
       ) s JOIN partners p ON p.id = s.partner_id`,
  );
  check();
  await execute(tx, 'CREATE INDEX ON pool_sales (depth)');
  await execute(tx, 'ANALYZE pool_sales');
  await execute(
    tx,
    `CREATE TEMPORARY TABLE pool_volumes (
       partner_id uuid, sponsor_id uuid, depth integer, total_minor bigint,
       legs integer, volume_minor bigint, largest_leg_minor bigint
     ) ON COMMIT DROP`,
  );
  await execute(tx, 'CREATE INDEX ON pool_volumes (depth)');
  const [deepest] = await rows<{ depth: number }>(
    tx,
    'SELECT coalesce(max(depth), 0)::int AS depth FROM pool_sales',
  );
  for (let depth = deepest?.depth ?? 0; depth > 0; depth--) {
    check();
    await execute(tx, ADD_LEVEL, [depth]);
  }
  check();
  await execute(tx, 'ANALYZE pool_volumes');
}

/**
 * Adds the partners of level `$1`: own customers are one leg, and each partner directly below with all below is one. A leg
 * below zero counts as none, but lowers the leg that its partner is a part of.
 */
const ADD_LEVEL = `
  INSERT INTO pool_volumes (partner_id, sponsor_id, depth, total_minor, legs, volume_minor, largest_leg_minor)
  SELECT p.id, p.sponsor_id, $1::int, leg.total, leg.legs, leg.volume, leg.largest
  FROM (
    SELECT partner_id, sum(minor)::bigint AS total, (count(*) FILTER (WHERE minor > 0))::int AS legs,
           coalesce(sum(minor) FILTER (WHERE minor > 0), 0)::bigint AS volume, greatest(max(minor), 0) AS largest
    FROM (
      SELECT partner_id, own_minor AS minor FROM pool_sales WHERE depth = $1::int
      UNION ALL
      SELECT sponsor_id, total_minor FROM pool_volumes WHERE depth = $1::int + 1
    ) legs GROUP BY partner_id
  ) leg JOIN partners p ON p.id = leg.partner_id`;

/**
 * Computes who takes part, and the shares, from `pool_volumes` into the temporary table `pool_figures`; returns the sums.
 * Exact: amounts are rounded down and what is left goes to the largest remainders, of equal ones to the lower number.
 */
export async function computePoolShares(
  tx: Tx,
  period: PoolPeriod,
  { programmeVersion, rateBp, minimumVolumeMinor, currency, earlier }: PoolTerms & { earlier: EarlierRuns },
): Promise<PoolFigures> {
  const base = await firstRow<Pick<PoolFigures, 'baseMinor' | 'poolMinor'>>(
    tx,
    `SELECT base_minor, div(2 * greatest(base_minor, 0)::numeric * $2 + 10000, 20000)::bigint AS pool_minor FROM (
       SELECT coalesce(sum(base_minor), 0)::bigint AS base_minor FROM partner_sales
        WHERE ${countedIn(period, earlier)} AND currency = $1) s`,
    [currency, rateBp],
  );
  const { baseMinor, poolMinor } = base ?? { baseMinor: 0, poolMinor: 0 };
  await execute(
    tx,
    `CREATE TEMPORARY TABLE pool_figures ON COMMIT DROP AS
     WITH ranked AS (
       SELECT v.partner_id, p.number, s.rank_level, k.pool_weight AS weight, v.legs, v.volume_minor, v.largest_leg_minor,
              least(v.volume_minor, 2 * (v.volume_minor - v.largest_leg_minor)) AS qualified_minor
       FROM pool_volumes v
         JOIN partner_standings s ON s.partner_id = v.partner_id
         JOIN partner_ranks k ON k.programme_version = ${programmeVersion} AND k.level = s.rank_level
         JOIN partners p ON p.id = v.partner_id AND p.status = 'ACTIVE'
       WHERE k.pool_weight > 0 AND v.volume_minor > 0
     ), taking AS (
       SELECT *, qualified_minor >= ${minimumVolumeMinor} AND qualified_minor > 0 AS takes_part FROM ranked
     ), weighed AS (
       SELECT *, CASE WHEN takes_part THEN qualified_minor::numeric * weight ELSE 0 END AS numerator FROM taking
     ), shared AS (
       SELECT *, nullif(sum(numerator) OVER (), 0) AS denominator FROM weighed
     ), parted AS (
       SELECT *, coalesce(div(${poolMinor}::numeric * numerator, denominator), 0) AS part,
              coalesce(mod(${poolMinor}::numeric * numerator, denominator), 0) AS remainder
       FROM shared
     )
     SELECT partner_id, number, rank_level, weight, legs, volume_minor, largest_leg_minor, qualified_minor, takes_part,
            numerator, (part + CASE WHEN takes_part AND row_number() OVER (ORDER BY remainder DESC, number)
              <= ${poolMinor} - sum(part) OVER () THEN 1 ELSE 0 END)::bigint AS amount_minor
     FROM parted`,
  );
  const sums = await firstRow<Omit<PoolFigures, 'baseMinor' | 'poolMinor'>>(
    tx,
    `SELECT coalesce(sum(numerator), 0)::text AS denominator, (count(*) FILTER (WHERE takes_part))::int AS participants,
            coalesce(sum(amount_minor), 0)::bigint AS distributed_minor FROM pool_figures`,
  );
  return { baseMinor, poolMinor, ...(sums ?? { denominator: '0', participants: 0, distributedMinor: 0 }) };
}

/**
 * Records the run of a period with nothing counted. Returns its id, or null if the period has a run. Fails with a
 * serialisation failure if another run of the kind was recorded after the snapshot.
 */
export async function claimPoolRun(
  tx: Tx,
  { kind, period, startsAt, endsAt }: PoolPeriod,
  { programmeVersion, rateBp, minimumVolumeMinor, currency, earlier }: PoolTerms & { earlier: EarlierRuns },
  at: Date,
): Promise<string | null> {
  const found = await firstRow<{ id: string }>(
    tx,
    `INSERT INTO pool_runs (id, kind, period, starts_at, ends_at, programme_version, currency, base_minor, rate_bp,
       pool_minor, minimum_volume_minor, denominator, participants, distributed_minor, status, counted_at,
       last_sale_number, previous_run_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, 0, $9, 0, 0, 0, 'PAYING', $10,
       coalesce($12, (SELECT coalesce(max(number), 0) FROM partner_sales)), $11)
     ON CONFLICT DO NOTHING RETURNING id`,
    [
      ...[v7(), kind, period, startsAt, endsAt, programmeVersion, currency, rateBp, minimumVolumeMinor, at],
      ...[earlier.lastRunId, earlier.upToNumber],
    ],
  );
  return found?.id ?? null;
}

/** Fixes the figures of a run that this transaction has claimed, and copies those of its partners. */
export async function fixPoolFigures(tx: Tx, runId: string, figures: PoolFigures): Promise<void> {
  await execute(
    tx,
    `UPDATE pool_runs SET base_minor = $2, pool_minor = $3, denominator = $4, participants = $5, distributed_minor = $6
      WHERE id = $1`,
    [
      ...[runId, figures.baseMinor, figures.poolMinor],
      ...[figures.denominator, figures.participants, figures.distributedMinor],
    ],
  );
  await execute(
    tx,
    `INSERT INTO pool_shares (run_id, partner_id, number, rank_level, weight, legs, volume_minor, largest_leg_minor,
       qualified_minor, takes_part, amount_minor, commission_id)
     SELECT $1, partner_id, number, rank_level, weight, legs, volume_minor, largest_leg_minor, qualified_minor, takes_part,
            amount_minor, CASE WHEN amount_minor > 0 THEN gen_random_uuid() END
       FROM pool_figures`,
    [runId],
  );
}
