import { createHash } from 'node:crypto';
import { firstRow, type Db } from '../../sql/query';

const WINDOW_MS = 3_600_000;
const MOST_MAILS = 3;

/**
 * Counts a requested mail to an address, from all clients and whether or not there is an account, so that many clients
 * together cannot fill a mailbox. Returns the seconds to wait; 0 if it may be sent now.
 */
export async function secondsUntilMailMay(
  db: Db,
  purpose: 'verification' | 'reset',
  { region, email }: { region: string; email: string },
  at: Date,
): Promise<number> {
  const counted = await firstRow<{ points: number; expire: number }>(
    db,
    `INSERT INTO rate_limits AS counted (key, points, expire) VALUES ($1, 1, $2)
     ON CONFLICT (key) DO UPDATE SET
       points = CASE WHEN counted.expire <= $3 THEN 1 ELSE counted.points + 1 END,
       expire = CASE WHEN counted.expire <= $3 THEN excluded.expire ELSE counted.expire END
     RETURNING points, expire`,
    [keyOf(purpose, region, email), at.getTime() + WINDOW_MS, at.getTime()],
  );
  if (!counted || counted.points <= MOST_MAILS) return 0;
  return Math.max(1, Math.ceil((counted.expire - at.getTime()) / 1000));
}

/** The key in the table of request counters, hashed so that the table shows no addresses. */
const keyOf = (purpose: string, region: string, email: string): string =>
  `mail-${purpose}:${createHash('sha256').update(`${region}:${email}`).digest('base64url')}`;
