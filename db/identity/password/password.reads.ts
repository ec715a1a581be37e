import { firstRow, rows, type Db } from '../../sql/query';

/** How many passwords, the present one among them, may not be chosen again. */
export const REMEMBERED_PASSWORDS = 5;

/** What a new password is held against. */
export interface PasswordOwner {
  id: string;
  region: string;
  email: string;
  firstName: string;
  lastName: string;
  /** Argon2id; null for accounts that sign in elsewhere only. */
  passwordHash: string | null;
  /** Those before, the latest first. */
  earlierHashes: string[];
}

/** The account with its last passwords; null when there is none. */
export async function passwordOwner(db: Db, userId: string): Promise<PasswordOwner | null> {
  const owner = await firstRow<Omit<PasswordOwner, 'earlierHashes'>>(
    db,
    `SELECT id, region, email, first_name, last_name,
            password_hash
       FROM users WHERE id = $1`,
    [userId],
  );
  if (!owner) return null;
  const earlier = await rows<{ hash: string }>(
    db,
    `SELECT password_hash AS hash FROM password_history WHERE user_id = $1
      ORDER BY replaced_at DESC, id DESC LIMIT $2`,
    [userId, REMEMBERED_PASSWORDS - 1],
  );
  return { ...owner, earlierHashes: earlier.map(({ hash }) => hash) };
}
