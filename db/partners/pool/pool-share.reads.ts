import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db, type Tx } from '../../sql/query';
import type { ComputedShare } from '../../../workflows/partners/commission/commission-explanation.rules';
import { MOST_COUNTED, rowsOfPage } from '../most-counted';
import type { PoolShare } from './pool-share.model';

/** The figures of a partner in a run, and whose they are. */
export type PoolShareFigures = Omit<Attributes<PoolShare>, 'runId' | 'commissionId' | 'paidAt' | 'number'> & {
  number: number;
  referralCode: string;
  userId: string;
  name: string;
  rankCode: string;
  commissionId: string | null;
  paidAt: Date | null;
};

const figures = (of: string, kept: boolean): string => `
  s.partner_id, s.number, s.rank_level, k.code AS rank_code, s.weight, s.legs, s.volume_minor, s.largest_leg_minor,
  s.qualified_minor, s.takes_part, s.numerator::text AS numerator, s.amount_minor,
  ${kept ? 's.commission_id, s.paid_at' : 'NULL::uuid AS commission_id, NULL::timestamptz AS paid_at'},
  p.referral_code, p.user_id, concat_ws(' ', u.first_name, u.last_name) AS name
  FROM ${of} s JOIN partners p ON p.id = s.partner_id JOIN users u ON u.id = p.user_id`;

/** One page of the first `MOST_COUNTED` of a run's partners, the largest share first, and the number of those. */
export async function poolShares(
  db: Db,
  runId: string,
  page: { limit: number; offset: number },
): Promise<{ shares: PoolShareFigures[]; total: number }> {
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM (SELECT FROM pool_shares WHERE run_id = $1 LIMIT ${MOST_COUNTED}) s`,
    [runId],
  );
  const total = counted?.total ?? 0;
  const limit = rowsOfPage(page);
  if (limit === 0) return { total, shares: [] };
  const listed = `(SELECT * FROM pool_shares WHERE run_id = $1 ORDER BY amount_minor DESC, number LIMIT $2 OFFSET $3)`;
  const shares = await rows<PoolShareFigures>(
    db,
    `SELECT ${figures(listed, true)} JOIN pool_runs r ON r.id = s.run_id
       JOIN partner_ranks k ON k.programme_version = r.programme_version AND k.level = s.rank_level
      ORDER BY s.amount_minor DESC, s.number`,
    [runId, limit, page.offset],
  );
  return { total, shares };
}

const LARGEST_MINOR = Number.MAX_SAFE_INTEGER;

/** The partners of a run behind a share, in the order of `poolShares`; each read begins where it ends in the index. */
export const poolSharesAfter = (
  db: Db,
  runId: string,
  after: Pick<PoolShareFigures, 'amountMinor' | 'number'> | null,
  limit: number,
): Promise<PoolShareFigures[]> =>
  rows(
    db,
    `WITH found AS MATERIALIZED (
       (SELECT * FROM pool_shares WHERE run_id = $1 AND amount_minor = $2 AND number > $3 ORDER BY number LIMIT $4)
       UNION ALL
       (SELECT * FROM pool_shares WHERE run_id = $1 AND amount_minor < $2 ORDER BY amount_minor DESC, number LIMIT $4))
     SELECT ${figures('found', true)} JOIN pool_runs r ON r.id = s.run_id
       JOIN partner_ranks k ON k.programme_version = r.programme_version AND k.level = s.rank_level
      ORDER BY s.amount_minor DESC, s.number LIMIT $4`,
    [runId, after?.amountMinor ?? LARGEST_MINOR, after?.number ?? 0, limit],
  );

/** The first partners of what `computePoolShares` has found in this transaction, the largest share first. */
export const previewedShares = (
  tx: Tx,
  programmeVersion: number,
  limit: number,
): Promise<PoolShareFigures[]> =>
  rows(
    tx,
    `SELECT ${figures('pool_figures', false)}
       JOIN partner_ranks k ON k.programme_version = $1 AND k.level = s.rank_level
      ORDER BY s.amount_minor DESC, s.number LIMIT $2`,
    [programmeVersion, limit],
  );

/**
 * The figures of the share that a commission paid; null of any other commission. One unit more goes to the largest
 * remainders, of equal ones to the lower number, as many as are left of the pool when all are rounded down.
 */
export const shareOfCommission = (db: Db, commissionId: string): Promise<ComputedShare | null> =>
  firstRow<ComputedShare>(
    db,
    `SELECT r.pool_minor, s.numerator::text AS numerator, r.denominator::text AS denominator,
       others.before < r.pool_minor - others.parts AS is_raised
     FROM partner_commissions c
       JOIN pool_shares s ON s.run_id = c.source_id AND s.partner_id = c.partner_id
       JOIN pool_runs r ON r.id = s.run_id AND r.denominator > 0
       CROSS JOIN LATERAL (SELECT mod(r.pool_minor * s.numerator, r.denominator) AS remainder) AS own
       CROSS JOIN LATERAL (
         SELECT sum(div(r.pool_minor * o.numerator, r.denominator)) AS parts,
           count(*) FILTER (WHERE mod(r.pool_minor * o.numerator, r.denominator) > own.remainder
             OR mod(r.pool_minor * o.numerator, r.denominator) = own.remainder AND o.number < s.number) AS before
         FROM pool_shares o WHERE o.run_id = r.id AND o.takes_part) AS others
     WHERE c.id = $1 AND c.type = 7`,
    [commissionId],
  );
