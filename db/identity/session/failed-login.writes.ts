import { createHash } from 'node:crypto';
import type { Policy } from '../../policy/config';
import { firstRow, type Db } from '../../sql/query';

/** What an account is called by whoever signs in, whether or not there is one. */
export interface AccountName {
  region: string;
  email: string;
}

type LockoutPolicy = Pick<Policy, 'loginFailures' | 'loginWindowMinutes'>;

/**
 * Counts a failed login of an account, whether or not there is such an account; answers whether this very failure
 * locks it. The window starts with the first failure; failures during a lockout don't prolong it, so that nobody can
 * lock another out for ever by trying on.
 */
export async function countFailedLogin(
  db: Db,
  account: AccountName,
  at: Date,
  policy: LockoutPolicy,
): Promise<{ locks: boolean }> {
  const counted = await firstRow<{ points: number }>(
    db,
    `INSERT INTO rate_limits AS counted (key, points, expire) VALUES ($1, 1, $2)
     ON CONFLICT (key) DO UPDATE SET
       points = CASE WHEN counted.expire <= $3 THEN 1 ELSE counted.points + 1 END,
       expire = CASE WHEN counted.expire <= $3 THEN excluded.expire ELSE counted.expire END
     RETURNING points`,
    [keyOf(account), at.getTime() + policy.loginWindowMinutes * 60_000, at.getTime()],
  );
  return { locks: counted?.points === policy.loginFailures };
}

/** Whether an account has failed too often lately for even the right password to be taken. */
export async function isLockedOut(
  db: Db,
  account: AccountName,
  at: Date,
  { loginFailures }: Pick<Policy, 'loginFailures'>,
): Promise<boolean> {
  const counted = await firstRow<{ points: number }>(
    db,
    'SELECT points FROM rate_limits WHERE key = $1 AND expire > $2',
    [keyOf(account), at.getTime()],
  );
  return counted !== null && counted.points >= loginFailures;
}

/** Shared with the request counters, which shows no addresses to whoever reads that table. */
function keyOf({ region, email }: AccountName): string {
  return `failed-login:${createHash('sha256').update(`${region}:${email}`).digest('base64url')}`;
}
