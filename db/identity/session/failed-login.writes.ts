import { createHash } from 'node:crypto';
import type { Policy } from '../../policy/config';
import { firstRow, type Db } from '../../sql/query';

/** The name of an account in a sign-in; the account may not exist. */
export interface AccountName {
  region: string;
  email: string;
}

type LockoutPolicy = Pick<Policy, 'loginFailures' | 'loginWindowMinutes'>;

/**
 * Counts a failed login of an account name, existing or not; `locks` is true for the failure that locks it. The window
 * starts with the first failure and is not prolonged by more, so that nobody can lock another out for ever.
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

/** True if an account has failed so often within the window that even the right password is not accepted. */
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

/** The key in the table of request counters, hashed so that the table shows no addresses. */
function keyOf({ region, email }: AccountName): string {
  return `failed-login:${createHash('sha256').update(`${region}:${email}`).digest('base64url')}`;
}
