import { firstRow, type Db } from '../../sql/query';

/** The account of somebody whom another provider calls by this subject, else null. */
export async function userOfExternal(db: Db, issuer: string, subject: string): Promise<string | null> {
  const account = await firstRow<{ userId: string }>(
    db,
    `SELECT user_id FROM external_accounts WHERE issuer = $1 AND subject = $2`,
    [issuer, subject],
  );
  return account?.userId ?? null;
}
