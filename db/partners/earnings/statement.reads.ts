import { NIL } from 'uuid';
import { COMMISSION_KINDS, SPENDING_KINDS } from '../../../workflows/ledger/reference.rules';
import type { Month, StatementKind } from '../../../workflows/partners/statement/statement.rules';
import { isOf, subjectOf } from '../../ledger/reference-columns';
import { firstRow, rows, type Db } from '../../sql/query';

/** A user whose balances it is about, and their currency. */
export interface StatementOwner {
  userId: string;
  currency: string;
}

/**
 * The entries of what a partner owns: both balances, and what payouts of them hold, which is theirs until it is paid. A fragment
 * over $1 and $2.
 */
export const PARTNER_ENTRIES = `SELECT e.* FROM ledger_entries e
  WHERE e.user_id = $1 AND e.currency = $2 AND e.account IN ('partner_pending', 'partner_available', 'payout_hold')
    AND (e.account <> 'payout_hold' OR e.hold_id IN (SELECT id FROM payouts WHERE user_id = $1 AND kind = 'PARTNER'))`;

/**
 * Joins the transfer `t` of each row of `m` by its id. OFFSET 0 keeps PostgreSQL from reading all transfers for the many of one
 * partner, which its statistics make it prefer.
 */
export const JOIN_TRANSFER = `CROSS JOIN LATERAL
  (SELECT kind, subject_id, part FROM ledger_transfers WHERE id = m.transfer_id OFFSET 0) AS t`;

const COMMISSION = subjectOf('t', ...COMMISSION_KINDS);
const REFUND = subjectOf('t', 'refund-repayment');
const ORDER = subjectOf('t', 'order-hold', 'order-release', 'order-repayment');

/** The kind of the movement that a transfer `t` brought to what a partner owns, by its sum `minor`. */
export const KIND_OF = `CASE
  WHEN ${isOf('t', 'commission-adjustment')} THEN 'ADJUSTED'
  WHEN ${isOf('t', ...COMMISSION_KINDS)} THEN CASE WHEN minor > 0 THEN 'EARNED' ELSE 'REVERSED' END
  WHEN ${isOf('t', 'payout')} THEN CASE t.part WHEN 'forfeited' THEN 'FORFEITED' ELSE 'PAID' END
  WHEN ${isOf('t', ...SPENDING_KINDS)} THEN CASE WHEN minor < 0 THEN 'SPENT' ELSE 'RETURNED' END
  ELSE 'OTHER' END`;

/**
 * The movements of a month: transfers that changed what the partner owns, in the order of ledger_entries_partner_idx, so
 * that the first of them are read without the rest. Bound: user, currency, from, to. The entries of a transfer have one time.
 */
const MOVEMENTS = `SELECT e.created_at AS at, e.transfer_id, sum(e.amount_minor)::bigint AS minor
  FROM (${PARTNER_ENTRIES}) AS e WHERE e.created_at >= $3 AND e.created_at < $4`;
const BY_TRANSFER = `GROUP BY e.created_at, e.transfer_id HAVING sum(e.amount_minor) <> 0`;

/** Sums of the movements of a month by kind, those above zero and those below apart, in minor units. */
export const statementSums = (
  db: Db,
  { userId, currency }: StatementOwner,
  { from, to }: Month,
): Promise<{ kind: StatementKind; minor: number; count: number }[]> =>
  rows(
    db,
    `SELECT kind, sum(minor)::bigint AS minor, count(*)::int AS count
     FROM (SELECT m.minor, ${KIND_OF} AS kind
       FROM (${MOVEMENTS} ${BY_TRANSFER}) AS m ${JOIN_TRANSFER}) AS k
     GROUP BY kind, minor > 0`,
    [userId, currency, from, to],
  );

/** The sum that the partner owned before a month, in minor units. */
export async function openingMinor(
  db: Db,
  { userId, currency }: StatementOwner,
  { from }: Month,
): Promise<number> {
  const row = await firstRow<{ minor: number }>(
    db,
    `SELECT coalesce(sum(amount_minor), 0)::bigint AS minor FROM (${PARTNER_ENTRIES}) AS e WHERE e.created_at < $3`,
    [userId, currency, from],
  );
  return row?.minor ?? 0;
}

/** A movement, and the commission or order that it is about. */
export interface StatementLine {
  transferId: string;
  at: Date;
  kind: StatementKind;
  minor: number;
  commissionId: string | null;
  commissionType: number | null;
  orderNumber: string | null;
  /** Its place in the order of the statement, for the next read. */
  cursor: string;
}

/** The first movements of a month after a place, in the order of time; null from the beginning. */
export const statementLines = (
  db: Db,
  { userId, currency }: StatementOwner,
  { from, to }: Month,
  after: Pick<StatementLine, 'transferId' | 'cursor'> | null,
  limit: number,
): Promise<StatementLine[]> =>
  rows<StatementLine>(
    db,
    `WITH found AS MATERIALIZED (${MOVEMENTS}
         AND (e.created_at, e.transfer_id) > ($5::timestamptz, $6::uuid) ${BY_TRANSFER}
       ORDER BY e.created_at, e.transfer_id LIMIT $7),
     m AS (SELECT m.*, ${COMMISSION} AS commission_id, ${REFUND} AS refund_id, ${ORDER} AS order_id, ${KIND_OF} AS kind
       FROM found m JOIN ledger_transfers t ON t.id = m.transfer_id)
     SELECT m.transfer_id, m.at, m.kind, m.minor, c.id AS commission_id, c.type AS commission_type,
       o.number AS order_number, m.at::text AS cursor
     FROM m
       LEFT JOIN partner_commissions c ON c.id = m.commission_id
       LEFT JOIN refund_requests q ON q.id = m.refund_id
       LEFT JOIN orders o ON o.id = coalesce(q.order_id, m.order_id)
     ORDER BY m.at, m.transfer_id`,
    [userId, currency, from, to, after?.cursor ?? from, after?.transferId ?? NIL, limit],
  );
