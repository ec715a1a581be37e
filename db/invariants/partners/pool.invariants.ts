import { isOf } from '../../ledger/reference-columns';
import type { Invariant } from '../invariant';

/** Rules of the leadership pools: each is counted once, its shares are what the stored figures make, each paid once. */
export const poolInvariants: readonly Invariant[] = [
  {
    id: 'pools.shares-make-the-run',
    says: 'The shares of a run add up to what it distributed, which is no more than its pool, and to its denominator.',
    sql: `SELECT r.id AS entity, format('pool %s, distributed %s of shares %s, %s of %s participants', r.pool_minor,
        r.distributed_minor, coalesce(s.minor, 0), r.participants, coalesce(s.n, 0)) AS detail
      FROM pool_runs r LEFT JOIN (
        SELECT run_id, sum(amount_minor) AS minor, sum(numerator) AS numerator, count(*) FILTER (WHERE takes_part) AS n
        FROM pool_shares GROUP BY run_id
      ) s ON s.run_id = r.id
      WHERE r.distributed_minor <> coalesce(s.minor, 0) OR r.distributed_minor > r.pool_minor
        OR r.denominator <> coalesce(s.numerator, 0) OR r.participants <> coalesce(s.n, 0)
        OR r.pool_minor <> div(2 * greatest(r.base_minor, 0)::numeric * r.rate_bp + 10000, 20000)
        OR (r.participants > 0 AND r.distributed_minor <> r.pool_minor)`,
  },
  {
    id: 'pools.shares-are-in-proportion',
    says: 'A share differs from pool times numerator by denominator by less than a minor unit, and needs the volume.',
    sql: `SELECT s.run_id || ' ' || s.partner_id AS entity,
        format('%s of pool %s for %s of %s', s.amount_minor, r.pool_minor, s.numerator, r.denominator) AS detail
      FROM pool_shares s JOIN pool_runs r ON r.id = s.run_id
      WHERE s.takes_part <> (s.qualified_minor > 0 AND s.qualified_minor >= r.minimum_volume_minor)
        OR (s.takes_part AND abs(s.amount_minor * r.denominator - r.pool_minor * s.numerator) >= r.denominator)`,
  },
  {
    id: 'pools.no-branch-over-half',
    says: 'Of the volume that counts for a share, no branch makes more than half.',
    sql: `SELECT run_id || ' ' || partner_id AS entity,
        format('%s counts, the largest branch makes %s of %s', qualified_minor, largest_leg_minor, volume_minor) AS detail
      FROM pool_shares
      WHERE qualified_minor <> least(volume_minor, 2 * (volume_minor - largest_leg_minor))
        OR 2 * least(largest_leg_minor, qualified_minor - (volume_minor - largest_leg_minor)) > qualified_minor`,
  },
  {
    id: 'pools.shares-are-paid-once',
    says: 'A paid share has its commission and transfer, for its amount, and an unpaid one has neither; a completed run has paid all.',
    sql: `SELECT coalesce(s.run_id || ' ' || s.partner_id, 'commission ' || c.id) AS entity,
        format('share %s, commission %s, booked %s', s.amount_minor, c.gross_minor, b.minor) AS detail
      FROM (SELECT s.*, r.status, r.kind FROM pool_shares s JOIN pool_runs r ON r.id = s.run_id) s
      FULL JOIN (SELECT * FROM partner_commissions WHERE type = 7 AND reversal_of IS NULL) c ON c.id = s.commission_id
      LEFT JOIN LATERAL (
        SELECT -sum(e.amount_minor) AS minor, count(DISTINCT t.id) AS n FROM ledger_transfers t
          JOIN ledger_entries e ON e.transfer_id = t.id AND e.account = 'pool_' || lower(s.kind)
        WHERE ${isOf('t', 'commission')} AND t.subject_id = s.commission_id::text
      ) b ON true
      WHERE s.run_id IS NULL
        OR (s.amount_minor > 0 AND s.status = 'COMPLETED' AND s.paid_at IS NULL)
        OR (s.paid_at IS NOT NULL) <> (c.id IS NOT NULL)
        OR (s.paid_at IS NOT NULL AND (c.source_id <> s.run_id OR c.partner_id <> s.partner_id
          OR c.gross_minor <> s.amount_minor OR b.n <> 1 OR b.minor IS NULL OR b.minor > s.amount_minor))`,
  },
  {
    id: 'pools.are-of-the-sales-of-their-period',
    says: 'The base of a run is the sum of the sales in its currency that were counted before it: those of its period, and those of earlier runs that no run saw before.',
    sql: `SELECT r.id AS entity, format('%s of sales %s', r.base_minor, coalesce(s.minor, 0)) AS detail
      FROM pool_runs r LEFT JOIN pool_runs p ON p.id = r.previous_run_id
      CROSS JOIN LATERAL (SELECT coalesce(sum(s.base_minor), 0) AS minor FROM partner_sales s
        WHERE s.currency = r.currency AND s.number <= r.last_sale_number
          AND (s.occurred_at >= r.starts_at AND s.occurred_at < r.ends_at
            OR s.number > p.last_sale_number AND EXISTS (SELECT 1 FROM pool_runs e WHERE e.kind = r.kind AND e.id <> r.id
              AND e.last_sale_number <= p.last_sale_number
              AND s.occurred_at >= e.starts_at AND s.occurred_at < e.ends_at))) AS s
      WHERE r.base_minor <> s.minor`,
  },
  {
    id: 'pools.are-funded-once',
    says: 'The money that a run shares out was set apart once for its period; for a run in which nobody takes part nothing was.',
    sql: `SELECT coalesce(r.id::text, f.pool) AS entity,
        format('shares %s, set apart %s', r.distributed_minor, coalesce(f.minor, 0)) AS detail
      FROM pool_runs r FULL JOIN (
        SELECT t.subject_id AS pool, sum(e.amount_minor) AS minor FROM ledger_transfers t JOIN ledger_entries e
          ON e.transfer_id = t.id AND e.account IN ('pool_weekly', 'pool_monthly')
        WHERE ${isOf('t', 'pool-fund')} GROUP BY 1
      ) f ON f.pool = format('%s:%s', lower(r.kind), r.period)
      WHERE r.id IS NULL OR r.distributed_minor <> coalesce(f.minor, 0)`,
  },
];
