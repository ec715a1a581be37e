import type { Attributes } from 'sequelize';
import { anywhere, contains } from '../../sql/text/search';
import { firstRow, rows, type Db } from '../../sql/query';
import type { UserStatus } from '../../../workflows/identity/user/user.rules';
import type { KycStatus } from '../../../workflows/kyc/kyc.rules';
import type { User } from '../user/user.model';
import { until } from '../../sql/until';
import { SEARCHED_USER } from './searched-user';

/** Conditions that users have to meet; what is left out is not a condition. Times are of registration and inclusive. */
export interface UserFilter {
  status?: UserStatus | undefined;
  role?: string | undefined;
  kycStatus?: KycStatus | undefined;
  /** Part of the e-mail address, of the name or of the phone number, ignoring case and accents. */
  search?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

export type UserOrder = 'createdAt' | 'email' | 'status' | 'lastLoginAt';

export interface UserPage {
  sortBy: UserOrder;
  sortOrder: 'asc' | 'desc';
  limit: number;
  offset: number;
}

type ListedColumns =
  | 'id'
  | 'email'
  | 'phone'
  | 'status'
  | 'firstName'
  | 'lastName'
  | 'avatarUrl'
  | 'kycStatus'
  | 'kycLevel'
  | 'roles'
  | 'lastLoginAt'
  | 'createdAt';

/** A user in the administrators' list. Money is in minor units of the platform's currency. */
export type ListedUser = Pick<Attributes<User>, ListedColumns> & {
  isPartner: boolean;
  ordersCount: number;
  totalSpentMinor: number;
  investmentsCount: number;
  totalInvestedMinor: number;
};

const COLUMNS: Record<UserOrder, string> = {
  createdAt: 'u.created_at',
  email: 'u.email',
  status: 'u.status',
  lastLoginAt: 'u.last_login_at',
};

/**
 * A fragment over `u`: the number of a user's orders, and the sum of those paid and not cancelled, less refunds; the number
 * of participations, and the principal of those that ever ran, of which what moved from one into another counts once. Join
 * it for the few users that are shown.
 */
export const SPENDING = `LATERAL (
  SELECT count(*)::int AS orders_count,
         coalesce(sum(o.total_minor - o.refunded_minor) FILTER (WHERE o.payment_status = 'PAID' AND o.status <> 'CANCELLED'), 0)::bigint
           AS total_spent_minor
    FROM orders o WHERE o.user_id = u.id) spending, LATERAL (
  SELECT count(*)::int AS investments_count,
         coalesce(sum(i.amount_minor) FILTER (WHERE i.started_at IS NOT NULL AND i.reinvested_from_id IS NULL), 0)::bigint
           AS total_invested_minor
    FROM participations i WHERE i.user_id = u.id) investing`;

/** One page of the users that match the filter; `total` counts all of them. */
export async function listUsers(
  db: Db,
  filter: UserFilter,
  { sortBy, sortOrder, limit, offset }: UserPage,
): Promise<{ total: number; users: ListedUser[] }> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = conditionsOf(filter, bind);
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM users u WHERE ${where}`,
    values,
  );
  const direction = sortOrder === 'asc' ? 'ASC NULLS FIRST' : 'DESC NULLS LAST';
  const order = `${COLUMNS[sortBy]} ${direction}, u.id ${sortOrder === 'asc' ? 'ASC' : 'DESC'}`;
  const users = await rows<ListedUser>(
    db,
    `WITH u AS MATERIALIZED (
       SELECT u.* FROM users u WHERE ${where} ORDER BY ${order} LIMIT ${bind(limit)} OFFSET ${bind(offset)})
     SELECT u.id, u.email, u.phone, u.status, u.first_name, u.last_name,
            u.avatar_url, u.kyc_status, u.kyc_level, u.roles,
            EXISTS (SELECT 1 FROM partners p WHERE p.user_id = u.id) AS is_partner,
            spending.orders_count, spending.total_spent_minor,
            investing.investments_count, investing.total_invested_minor,
            u.last_login_at, u.created_at
       FROM u, ${SPENDING} ORDER BY ${order}`,
    values,
  );
  return { total: counted?.total ?? 0, users };
}

function conditionsOf(filter: UserFilter, bind: (value: unknown) => string): string {
  const { status, role, kycStatus, search, from, to } = filter;
  const conditions = ['true'];
  if (status !== undefined) conditions.push(`u.status = ${bind(status)}`);
  if (role !== undefined) conditions.push(`${bind(role)} = ANY (u.roles)`);
  if (kycStatus !== undefined) conditions.push(`u.kyc_status = ${bind(kycStatus)}`);
  if (search !== undefined && search !== '') conditions.push(contains(SEARCHED_USER, bind(anywhere(search))));
  if (from !== undefined) conditions.push(`u.created_at >= ${bind(from)}`);
  if (to !== undefined) conditions.push(until('u.created_at', bind(to)));
  return conditions.join(' AND ');
}
