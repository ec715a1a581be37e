import { anywhere } from '../../sql/search-pattern';
import { firstRow, rows, type Db } from '../../sql/query';
import type { UserStatus } from '../user/user.reads';

export type KycStatus =
  'NOT_STARTED' | 'DOCUMENTS_PENDING' | 'SUBMITTED' | 'UNDER_REVIEW' | 'APPROVED' | 'REJECTED' | 'NEEDS_INFO';

/** Which users; what is left out does not narrow. Moments are of registration and inclusive. */
export interface UserFilter {
  status?: UserStatus | undefined;
  role?: string | undefined;
  kycStatus?: KycStatus | undefined;
  /** Part of the e-mail address, of the name or of the phone number, in any case. */
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

/** What an administrator sees of a person in the list. Money is in minor units of the platform's currency. */
export interface ListedUser {
  id: string;
  email: string;
  phone: string | null;
  status: UserStatus;
  firstName: string;
  lastName: string;
  avatarUrl: string | null;
  kycStatus: KycStatus;
  kycLevel: 'NONE' | 'BASIC' | 'STANDARD' | 'ENHANCED';
  roles: string[];
  isPartner: boolean;
  ordersCount: number;
  totalSpentMinor: number;
  lastLoginAt: Date | null;
  createdAt: Date;
}

const COLUMNS: Record<UserOrder, string> = {
  createdAt: 'u.created_at',
  email: 'u.email',
  status: 'u.status',
  lastLoginAt: 'u.last_login_at',
};

/** As the index users_search_idx has it; only the very same expression is served by it. */
const SEARCHED = `(u.email || E'\\n' || u.first_name || ' ' || u.last_name || E'\\n' || coalesce(u.phone, ''))`;

/**
 * What somebody ordered and what they paid for it: orders that were paid and not taken back. A fragment over `u`, to
 * be joined for the few users that are shown.
 */
export const SPENDING = `LATERAL (
  SELECT count(*)::int AS orders_count,
         coalesce(sum(o.total_minor - o.refunded_minor) FILTER (WHERE o.payment_status = 'PAID' AND o.status <> 'CANCELLED'), 0)::bigint
           AS total_spent_minor
    FROM orders o WHERE o.user_id = u.id) spending`;

/** One page of the users that the filter lets through; `total` counts all of them. */
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
  if (search !== undefined && search !== '') conditions.push(`${SEARCHED} ILIKE ${bind(anywhere(search))}`);
  if (from !== undefined) conditions.push(`u.created_at >= ${bind(from)}`);
  if (to !== undefined) conditions.push(`u.created_at <= ${bind(to)}`);
  return conditions.join(' AND ');
}
