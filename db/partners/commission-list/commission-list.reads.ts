import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import { MOST_COUNTED, rowsOfPage } from '../most-counted';
import type { Commission } from '../commission/commission.model';
import { commissionConditions, type CommissionFilter } from './commission-filter.reads';

/** A commission as lists show it. */
export type ListedCommission = Pick<
  Attributes<Commission>,
  | ('id' | 'partnerId' | 'type' | 'sourceType' | 'sourceId' | 'sourcePartnerId' | 'level' | 'grossMinor')
  | ('netMinor' | 'points' | 'currency' | 'status' | 'maturesAt' | 'reversalOf' | 'processedAt' | 'createdAt')
  | 'approvedBy'
> & {
  partnerName: string;
  referralCode: string;
  /** Null, as the last name, without a source partner. */
  sourceFirstName: string | null;
  sourceLastName: string | null;
  /** The period of the pool that it is a share of, `weekly:2026-W47`; null of any other. */
  periodId: string | null;
  /** Its place in the order of a file, for the next read. */
  cursor: string;
};

/** The columns of a listed commission, and the tables that they are of; a fragment over `c`. */
export const LISTED = `SELECT c.id, c.partner_id, c.type, c.source_type, c.source_id, c.source_partner_id, c.level,
    c.gross_minor, c.net_minor, c.points, c.currency, c.status, c.matures_at, c.reversal_of, c.processed_at,
    c.created_at, c.approved_by, concat_ws(' ', u.first_name, u.last_name) AS partner_name, p.referral_code,
    v.first_name AS source_first_name, v.last_name AS source_last_name, c.created_at::text AS cursor,
    lower(w.kind) || ':' || w.period AS period_id
  FROM c JOIN partners p ON p.id = c.partner_id JOIN users u ON u.id = p.user_id
    LEFT JOIN partners s ON s.id = c.source_partner_id LEFT JOIN users v ON v.id = s.user_id
    LEFT JOIN pool_runs w ON w.id = c.source_id AND c.type = 7`;

export interface CommissionPage {
  sortBy: 'createdAt' | 'amount' | 'status';
  sortOrder: 'asc' | 'desc';
  limit: number;
  offset: number;
}

const ORDERS: Readonly<Record<CommissionPage['sortBy'], readonly string[]>> = {
  createdAt: ['created_at', 'id'],
  amount: ['net_minor', 'id'],
  status: ['status', 'created_at', 'id'],
};

/** One page of the first `MOST_COUNTED` commissions that fit; a page beyond them is empty, and nothing is read for it. */
export async function listedCommissions(
  db: Db,
  filter: CommissionFilter,
  { sortBy, sortOrder, ...page }: CommissionPage,
): Promise<ListedCommission[]> {
  const limit = rowsOfPage(page);
  if (limit === 0) return [];
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = commissionConditions(filter, bind);
  const direction = sortOrder === 'asc' ? 'ASC' : 'DESC';
  const order = ORDERS[sortBy]
    .map((column) => `c.${column} ${orderOf(column, sortBy, direction)}`)
    .join(', ');
  return rows<ListedCommission>(
    db,
    `WITH c AS MATERIALIZED (SELECT c.* FROM partner_commissions c WHERE ${where}
       ORDER BY ${order} LIMIT ${bind(limit)} OFFSET ${bind(page.offset)})
     ${LISTED} ORDER BY ${order}`,
    values,
  );
}

/** Within a status the newest come first when statuses ascend, so that one index serves both directions. */
const orderOf = (column: string, sortBy: CommissionPage['sortBy'], direction: 'ASC' | 'DESC'): string => {
  if (sortBy !== 'status' || column === 'status') return direction;
  return direction === 'ASC' ? 'DESC' : 'ASC';
};

/** Of the newest commissions that fit, at most `MOST_COUNTED`; amounts are net, in minor units. */
export interface CommissionTotals {
  total: number;
  pendingMinor: number;
  approvedMinor: number;
  paidMinor: number;
  reversedMinor: number;
  /** False if more than `MOST_COUNTED` fit. */
  isComplete: boolean;
}

export async function commissionTotals(db: Db, filter: CommissionFilter): Promise<CommissionTotals> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = commissionConditions(filter, bind);
  const sumOf = (statuses: string): string =>
    `coalesce(sum(c.net_minor) FILTER (WHERE c.status IN (${statuses}) AND c.place <= ${MOST_COUNTED}), 0)::bigint`;
  const totals = await firstRow<CommissionTotals>(
    db,
    `SELECT least(count(*), ${MOST_COUNTED})::int AS total, ${sumOf(`'PENDING', 'HELD'`)} AS pending_minor,
       ${sumOf(`'APPROVED'`)} AS approved_minor, ${sumOf(`'PAID'`)} AS paid_minor,
       ${sumOf(`'REVERSED'`)} AS reversed_minor, count(*) <= ${MOST_COUNTED} AS is_complete
     FROM (SELECT n.*, row_number() OVER () AS place FROM (SELECT c.status, c.net_minor FROM partner_commissions c
       WHERE ${where} ORDER BY c.created_at DESC, c.id DESC LIMIT ${MOST_COUNTED + 1}) AS n) AS c`,
    values,
  );
  if (!totals) throw new Error('A sum of commissions has no row.');
  return totals;
}

/** The next page of matching commissions after a cursor; null: from the newest. New commissions do not shift it. */
export function commissionsAfter(
  db: Db,
  filter: CommissionFilter,
  after: Pick<ListedCommission, 'id' | 'cursor'> | null,
  limit: number,
): Promise<ListedCommission[]> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = commissionConditions(filter, bind);
  const place = after
    ? `(c.created_at, c.id) < (${bind(after.cursor)}::timestamptz, ${bind(after.id)}::uuid)`
    : 'true';
  return rows<ListedCommission>(
    db,
    `WITH c AS MATERIALIZED (SELECT c.* FROM partner_commissions c WHERE ${where} AND ${place}
       ORDER BY c.created_at DESC, c.id DESC LIMIT ${bind(limit)})
     ${LISTED} ORDER BY c.created_at DESC, c.id DESC`,
    values,
  );
}
