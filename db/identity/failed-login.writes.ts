import { createHash } from 'node:crypto';
import { execute, firstRow, type Db } from '../sql';

const WINDOW_MS = 15 * 60_000;
const MOST_FAILURES = 10;

/**
 * Counts a failed login of an account, whether or not there is such an account. The window starts with the first
 * failure; failures during a lockout don't prolong it, so that nobody can lock another out for ever by trying on.
 */
export async function countFailedLogin(db: Db, region: string, email: string, at: Date): Promise<void> {
  await execute(
    db,
    `INSERT INTO rate_limits AS counted (key, points, expire) VALUES ($1, 1, $2)
     ON CONFLICT (key) DO UPDATE SET
       points = CASE WHEN counted.expire <= $3 THEN 1 ELSE counted.points + 1 END,
       expire = CASE WHEN counted.expire <= $3 THEN excluded.expire ELSE counted.expire END`,
    [keyOf(region, email), at.getTime() + WINDOW_MS, at.getTime()],
  );
}

/** Whether an account has failed too often lately for even the right password to be taken. */
export async function isLockedOut(db: Db, region: string, email: string, at: Date): Promise<boolean> {
  const counted = await firstRow<{ points: number }>(
    db,
    'SELECT points FROM rate_limits WHERE key = $1 AND expire > $2',
    [keyOf(region, email), at.getTime()],
  );
  return counted !== null && counted.points >= MOST_FAILURES;
}

/** Shared with the request counters, which shows no addresses to whoever reads that table. */
function keyOf(region: string, email: string): string {
  return `failed-login:${createHash('sha256').update(`${region}:${email}`).digest('base64url')}`;
}
