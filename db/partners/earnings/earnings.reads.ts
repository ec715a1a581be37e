import type { CommissionType } from '../../../workflows/partners/commission/commission.rules';
import type { CommissionStatus } from '../../../workflows/partners/commission/commission.states';
import type { Granularity } from '../../../workflows/administration/analytics/period.rules';
import { COMMISSION_MOVEMENTS } from '../../../workflows/partners/statement/statement.rules';
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

/** The figures of a partner's period, in minor units. */
export interface EarnedPeriod {
  /** As `historyPeriods` names it. */
  period: string;
  /** Commissions that were booked, with what administrators added. */
  earnedMinor: number;
  /** Amounts of commissions that refunds, lost chargebacks and administrators took back. */
  reversedMinor: number;
  /** Payouts that were completed. */
  paidMinor: number;
}

const OF_COMMISSIONS = `(${COMMISSION_MOVEMENTS.map((kind) => `'${kind}'`).join(', ')})`;

/** The names of periods, as PostgreSQL's `to_char` writes them. */
const NAMES = { day: 'YYYY-MM-DD', week: 'IYYY-"W"IW', month: 'YYYY-MM' } as const;

/** The periods from a moment on in which what the partner owns changed, by the kinds of a statement. */
export const earnedPeriods = (
  db: Db,
  { userId, currency }: StatementOwner,
  { granularity, from }: { granularity: Granularity; from: Date },
): Promise<EarnedPeriod[]> =>
  rows<EarnedPeriod>(
    db,
    `SELECT to_char(at AT TIME ZONE 'UTC', '${NAMES[granularity]}') AS period,
       coalesce(sum(minor) FILTER (WHERE kind IN ${OF_COMMISSIONS} AND minor > 0), 0)::bigint AS earned_minor,
       coalesce(-sum(minor) FILTER (WHERE kind IN ${OF_COMMISSIONS} AND minor < 0), 0)::bigint AS reversed_minor,
       coalesce(-sum(minor) FILTER (WHERE kind = 'PAID'), 0)::bigint AS paid_minor
     FROM (SELECT m.at, m.minor, ${KIND_OF} AS kind
       FROM (SELECT transfer_id, created_at AS at, sum(amount_minor)::bigint AS minor
         FROM (${PARTNER_ENTRIES}) AS e WHERE e.created_at >= $3 GROUP BY created_at, transfer_id
         HAVING sum(amount_minor) <> 0) AS m ${JOIN_TRANSFER}) AS k
     GROUP BY 1`,
    [userId, currency, from],
  );
