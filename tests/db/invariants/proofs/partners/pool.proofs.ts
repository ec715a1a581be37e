import { v7 } from 'uuid';
import { execute } from '../../../../../db/sql/query';
import { change, find, misplace, type Proof } from '../../proof';

const shareOf = (runId: string): string =>
  `SELECT run_id || ' ' || partner_id AS found FROM pool_shares WHERE run_id = '${runId}' AND takes_part`;

/** Shares and runs of the leadership pools, broken. */
export const poolProofs: readonly Proof[] = [
  {
    invariant: 'pools.shares-make-the-run',
    how: 'a run that names another number of partners than have a share',
    async breaks(tx, { poolRunId }) {
      await change(tx, 'UPDATE pool_runs SET participants = participants + 1 WHERE id = $1', [poolRunId]);
      return poolRunId;
    },
  },
  {
    invariant: 'pools.shares-are-in-proportion',
    how: 'a partner without a part who has the volume',
    async breaks(tx, { poolRunId }) {
      await change(
        tx,
        `UPDATE pool_shares SET volume_minor = 300000, largest_leg_minor = 100000, qualified_minor = 300000
          WHERE run_id = $1 AND NOT takes_part`,
        [poolRunId],
      );
      return find(tx, shareOf(poolRunId).replace('AND takes_part', 'AND NOT takes_part'));
    },
  },
  {
    invariant: 'pools.no-branch-over-half',
    how: 'a branch that makes most of what counts',
    async breaks(tx, { poolRunId }) {
      await execute(tx, 'ALTER TABLE pool_shares DROP CONSTRAINT pool_shares_volume_check');
      await change(
        tx,
        'UPDATE pool_shares SET largest_leg_minor = largest_leg_minor + 10000 WHERE run_id = $1 AND takes_part',
        [poolRunId],
      );
      return find(tx, shareOf(poolRunId));
    },
  },
  {
    invariant: 'pools.shares-are-paid-once',
    how: 'a share of a completed run that is not marked as paid',
    async breaks(tx, { poolRunId }) {
      await change(tx, 'UPDATE pool_shares SET paid_at = NULL WHERE run_id = $1 AND takes_part', [poolRunId]);
      return find(tx, shareOf(poolRunId));
    },
  },
  {
    invariant: 'pools.shares-are-paid-once',
    how: 'a commission of a pool without a share',
    async breaks(tx, { poolRunId }) {
      const id = v7();
      await change(
        tx,
        `INSERT INTO partner_commissions (id, partner_id, type, source_type, source_id, level, programme_version, rank_level,
           base_minor, commission_weight, rate_bp, gross_minor, net_minor, currency, status, matures_at, created_at)
         SELECT $1, partner_id, 7, 'BONUS', $1, 0, 1, 3, 0, 0, 100, 1, 0, 'USD', 'REVERSED', now(), now()
           FROM partner_commissions WHERE source_id = $2`,
        [id, poolRunId],
      );
      return `commission ${id}`;
    },
  },
  {
    invariant: 'pools.are-of-the-sales-of-their-period',
    how: 'a run without a sale that was counted before it',
    async breaks(tx, { poolRunId }) {
      await change(
        tx,
        `UPDATE partner_sales s SET base_minor = s.base_minor + 1 FROM pool_runs r
          WHERE r.id = $1 AND s.occurred_at = r.starts_at`,
        [poolRunId],
      );
      return poolRunId;
    },
  },
  {
    invariant: 'pools.are-funded-once',
    how: 'a pool whose money was not set apart',
    async breaks(tx, { poolRunId }) {
      const period = await find(tx, `SELECT period AS found FROM pool_runs WHERE id = $1`, [poolRunId]);
      await misplace(tx, { kind: 'pool-fund', subjectId: `weekly:${period}` });
      return poolRunId;
    },
  },
];
