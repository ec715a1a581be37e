import { createHash } from 'node:crypto';
import { firstRow, type Db } from '../sql';

export type TokenPurpose = 'VERIFY_EMAIL' | 'RESET_PASSWORD';

/** A token that was mailed, as it stands. */
export interface MailedToken {
  id: string;
  userId: string;
  expiresAt: Date;
  usedAt: Date | null;
  /** Another took its place. */
  superseded: boolean;
}

const COLUMNS = `id, user_id AS "userId", expires_at AS "expiresAt", used_at AS "usedAt",
  superseded_at IS NOT NULL AS superseded`;

/** What is kept of a mailed token (a UUID v4, so 122 random bits): whoever reads the database cannot present it. */
export const hashOfMailedToken = (token: string): string =>
  createHash('sha256').update(token.trim().toLowerCase()).digest('hex');

/** The token that somebody presents, in whatever state it is; null when it is not one of ours. */
export async function presentedToken(
  db: Db,
  purpose: TokenPurpose,
  token: string,
): Promise<MailedToken | null> {
  return firstRow<MailedToken>(
    db,
    `SELECT ${COLUMNS} FROM mailed_tokens WHERE token_hash = $1 AND purpose = $2`,
    [hashOfMailedToken(token), purpose],
  );
}

/** A token by its id, else null. */
export async function mailedToken(db: Db, id: string): Promise<MailedToken | null> {
  return firstRow<MailedToken>(db, `SELECT ${COLUMNS} FROM mailed_tokens WHERE id = $1`, [id]);
}
