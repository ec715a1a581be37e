import type { PlatformAccount } from '../../ledger/ledger.accounts';
import type { Transfer } from '../../ledger/ledger.transitions';
import { postTransfers } from '../../ledger/batch.transitions';
import { execute, firstRow, rows, type Db, type Tx } from '../../sql/query';
import { poolKey, type PoolKind } from '../../../workflows/partners/pool/pool-period.rules';

export interface PayingRun {
  id: string;
  kind: PoolKind;
  period: string;
  programmeVersion: number;
  rateBp: number;
  withholdingBp: number;
  currency: string;
}

/** A share that was just paid. */
export interface PaidShare {
  commissionId: string;
  partnerId: string;
  userId: string;
  netMinor: number;
}

/** A run whose shares are being paid; null if there is none or it is completed. */
export const payingRun = (db: Db, runId: string): Promise<PayingRun | null> =>
  firstRow(
    db,
    `SELECT r.id, r.kind, r.period, r.programme_version, r.rate_bp, g.withholding_bp, r.currency
       FROM pool_runs r JOIN partner_programmes g ON g.version = r.programme_version
      WHERE r.id = $1 AND r.status = 'PAYING'`,
    [runId],
  );

/**
 * Pays the next shares of a run: their commissions, APPROVED at once, their transfers from the pool and what their partners
 * have earned. Waits for others who pay the same ones; a share is paid once. None is left if it returns none.
 */
export async function payShares(tx: Tx, run: PayingRun, limit: number, at: Date): Promise<PaidShare[]> {
  const locked = await rows<{ partnerId: string }>(
    tx,
    `SELECT partner_id FROM pool_shares WHERE run_id = $1 AND paid_at IS NULL AND amount_minor > 0
      ORDER BY partner_id LIMIT $2 FOR NO KEY UPDATE`,
    [run.id, limit],
  );
  if (locked.length === 0) return [];
  const ids = locked.map(({ partnerId }) => partnerId);
  const paid = await rows<PaidShare>(
    tx,
    `WITH paid AS (
       UPDATE pool_shares SET paid_at = $3 WHERE run_id = $1 AND partner_id = ANY($2::uuid[]) AND paid_at IS NULL
       RETURNING commission_id, partner_id, rank_level, qualified_minor, numerator, amount_minor
     ), earned AS (
       INSERT INTO partner_commissions (id, partner_id, type, source_type, source_id, level, programme_version, rank_level,
         base_minor, commission_weight, rate_bp, gross_minor, net_minor, currency, status, matures_at, processed_at, created_at)
       SELECT commission_id, partner_id, 7, 'BONUS', $1, 0, $4, rank_level, qualified_minor, numerator, $5, amount_minor,
         amount_minor - div(2 * amount_minor::numeric * $6 + 10000, 20000)::bigint, $7, 'APPROVED', $3, $3, $3
       FROM paid RETURNING id, partner_id, net_minor
     )
     SELECT e.id AS commission_id, e.partner_id, p.user_id, e.net_minor
       FROM earned e JOIN partners p ON p.id = e.partner_id`,
    [run.id, ids, at, run.programmeVersion, run.rateBp, run.withholdingBp, run.currency],
  );
  await addEarned(tx, paid);
  await postTransfers(
    tx,
    paid.map((share) => transferOf(run, share)),
    at,
  );
  return paid;
}

async function addEarned(tx: Tx, shares: readonly PaidShare[]): Promise<void> {
  await execute(
    tx,
    `WITH earned AS (
       SELECT * FROM unnest($1::uuid[], $2::bigint[]) AS e (partner_id, net_minor)
     ), locked AS (
       SELECT partner_id FROM partner_standings WHERE partner_id = ANY($1::uuid[]) ORDER BY partner_id FOR NO KEY UPDATE
     )
     UPDATE partner_standings s SET earned_minor = s.earned_minor + e.net_minor
       FROM locked l JOIN earned e USING (partner_id) WHERE s.partner_id = l.partner_id`,
    [shares.map(({ partnerId }) => partnerId), shares.map(({ netMinor }) => netMinor)],
  );
}

const accountOf = (kind: PoolKind): PlatformAccount => (kind === 'WEEKLY' ? 'pool_weekly' : 'pool_monthly');

const transferOf = (
  { kind, currency }: PayingRun,
  { commissionId, userId, netMinor }: PaidShare,
): Omit<Transfer, 'at'> => ({
  reference: { kind: 'commission', subjectId: commissionId },
  entries: [
    { account: accountOf(kind), currency, amountMinor: -netMinor },
    { account: 'partner_available', userId, currency, amountMinor: netMinor },
  ],
});

/**
 * Locks the pools of a kind until the end of the transaction, since each run follows the one before it. Returns false, without
 * waiting, where another transaction has the lock.
 */
export async function lockPoolsOfKind(tx: Tx, kind: PoolKind): Promise<boolean> {
  const found = await firstRow<{ isLocked: boolean }>(
    tx,
    `SELECT pg_try_advisory_xact_lock(hashtextextended('pool:' || $1, 0)) AS is_locked`,
    [kind],
  );
  return found?.isLocked === true;
}

/**
 * Returns the number of the last sale, 0 without any. Waits until those that are being inserted are committed, and holds new ones up
 * until the end of the transaction, so no sale of a lower number can follow: a number is given at the insert, not at the commit. The
 * transaction must be READ COMMITTED and short.
 */
export async function lockLastSale(tx: Tx): Promise<number> {
  await execute(tx, 'LOCK TABLE partner_sales IN SHARE MODE');
  const last = await firstRow<{ number: number }>(
    tx,
    'SELECT coalesce(max(number), 0)::bigint AS number FROM partner_sales',
  );
  return last?.number ?? 0;
}

/**
 * Locks the partners who have a share in `pool_figures`, until they have it: nobody suspends, terminates or erases them
 * meanwhile. Fails with 40001 if that has happened since the transaction began, and everything is then counted again.
 */
export const lockSharingPartners = (tx: Tx): Promise<number> =>
  execute(
    tx,
    `SELECT 1 FROM partners WHERE id IN (SELECT partner_id FROM pool_figures WHERE amount_minor > 0) ORDER BY id FOR SHARE`,
  );

/** Sets the money that a pool shares out apart, once. */
export const fundPool = (
  tx: Tx,
  pool: { kind: PoolKind; period: string; amountMinor: number; currency: string },
  at: Date,
): Promise<void> =>
  postTransfers(
    tx,
    [
      {
        reference: { kind: 'pool-fund', subjectId: poolKey(pool) },
        entries: [
          { account: 'commission_expense', currency: pool.currency, amountMinor: -pool.amountMinor },
          { account: accountOf(pool.kind), currency: pool.currency, amountMinor: pool.amountMinor },
        ],
      },
    ],
    at,
  );

/** Completes a run of which no share is unpaid. */
export const completePoolRun = (tx: Tx, runId: string, at: Date): Promise<number> =>
  execute(
    tx,
    `UPDATE pool_runs r SET status = 'COMPLETED', completed_at = $2 WHERE r.id = $1 AND r.status = 'PAYING'
       AND NOT EXISTS (SELECT 1 FROM pool_shares s WHERE s.run_id = r.id AND s.paid_at IS NULL AND s.amount_minor > 0)`,
    [runId, at],
  );
