import { createHash } from 'node:crypto';
import { firstRow, type Db } from '../../sql/query';

const WINDOW_MS = 3_600_000;
const MOST_MAILS = 3;

/**
 * Counts a mail that somebody asks us to send to an address, whoever asks and whether or not there is an account, so
 * that nobody's mailbox is filled from many places. Answers how many seconds to wait; 0 when it may be sent now.
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

/** Shared with the request counters, which shows no addresses to whoever reads that table. */
const keyOf = (purpose: string, region: string, email: string): string =>
  `mail-${purpose}:${createHash('sha256').update(`${region}:${email}`).digest('base64url')}`;
