import { firstRow, type Db } from '../sql/query';

/** The partner behind a referral code (upper case), if that partner may bring people now; else null. */
export async function partnerByCode(db: Db, code: string): Promise<{ id: string; userId: string } | null> {
  return firstRow<{ id: string; userId: string }>(
    db,
    `SELECT id, user_id FROM partners WHERE referral_code = $1 AND status = 'ACTIVE'`,
    [code],
  );
}
