import type { CommissionType } from '../../../workflows/partners/commission/commission.rules';
import type { CommissionStatus } from '../../../workflows/partners/commission/commission.states';
import { rows, type Db } from '../../sql/query';
import { JOIN_TRANSFER, KIND_OF, PARTNER_ENTRIES, type StatementOwner } from './statement.reads';

/** The commissions of a partner in one status and of one type; `minor` is the sum of their net amounts. */
export interface CommissionGroup {
  status: CommissionStatus;
  type: CommissionType;
  count: number;
  minor: number;
}

export const commissionGroups = (db: Db, partnerId: string): Promise<CommissionGroup[]> =>
  rows<CommissionGroup>(
    db,
    `SELECT status, type, count(*)::int AS count, sum(net_minor)::bigint AS minor
     FROM partner_commissions WHERE partner_id = $1 GROUP BY status, type`,
    [partnerId],
  );

/** The commissions of a partner in a month (UTC), in minor units. */
export interface EarnedMonth {
  /** `2026-11`. */
  month: string;
  earnedMinor: number;
  /** Taken back by refunds, below zero. */
  takenBackMinor: number;
  adjustedMinor: number;
  /** Amounts that became available, less those put on hold again. */
  maturedMinor: number;
}

/** The months from a moment on in which commissions were booked, the newest first. */
export const earnedMonths = (
  db: Db,
  { userId, currency }: StatementOwner,
  from: Date,
): Promise<EarnedMonth[]> =>
  rows<EarnedMonth>(
    db,
    `SELECT month, coalesce(sum(minor) FILTER (WHERE kind = 'EARNED'), 0)::bigint AS earned_minor,
       coalesce(sum(minor) FILTER (WHERE kind = 'TAKEN_BACK'), 0)::bigint AS taken_back_minor,
       coalesce(sum(minor) FILTER (WHERE kind = 'ADJUSTED'), 0)::bigint AS adjusted_minor,
       coalesce(sum(CASE WHEN pending < 0 AND available > 0 THEN least(-pending, available)
         WHEN pending > 0 AND available < 0 THEN -least(pending, -available) END), 0)::bigint AS matured_minor
     FROM (SELECT m.*, ${KIND_OF} AS kind
       FROM (SELECT transfer_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month,
           sum(amount_minor)::bigint AS minor,
           coalesce(sum(amount_minor) FILTER (WHERE account = 'partner_pending'), 0)::bigint AS pending,
           coalesce(sum(amount_minor) FILTER (WHERE account = 'partner_available'), 0)::bigint AS available
         FROM (${PARTNER_ENTRIES}) AS e WHERE e.created_at >= $3 GROUP BY created_at, transfer_id) AS m
       ${JOIN_TRANSFER} WHERE starts_with(t.reference, 'commission:')) AS k
     GROUP BY month ORDER BY month DESC`,
    [userId, currency, from],
  );
