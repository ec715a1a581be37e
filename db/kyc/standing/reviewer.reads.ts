import { firstRow, type Db } from '../../sql/query';

/** Tells whether this person may review verifications now: their account is ACTIVE, and they are an administrator. */
export async function isReviewer(db: Db, userId: string): Promise<boolean> {
  const found = await firstRow(
    db,
    `SELECT 1 FROM users WHERE id = $1 AND status = 'ACTIVE' AND erased_at IS NULL
        AND roles && ARRAY['ADMIN', 'SUPER_ADMIN']`,
    [userId],
  );
  return found !== null;
}
