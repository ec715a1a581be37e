import { firstRow, type Db } from '../../sql/query';

export type UserStatus = 'PENDING_VERIFICATION' | 'ACTIVE' | 'SUSPENDED' | 'BANNED';

/** What signing in needs to know of an account and shows of it. */
export interface SigningInUser {
  id: string;
  email: string;
  status: UserStatus;
  roles: string[];
  firstName: string;
  lastName: string;
  avatarUrl: string | null;
  /** Null for accounts that sign in elsewhere only. */
  passwordHash: string | null;
}

const SIGNING_IN = `id, email, status, roles, first_name, last_name,
  avatar_url, password_hash`;

/** The account of this lower-case e-mail address in a region, else null. */
export async function userByEmail(db: Db, region: string, email: string): Promise<SigningInUser | null> {
  return firstRow<SigningInUser>(db, `SELECT ${SIGNING_IN} FROM users WHERE region = $1 AND email = $2`, [
    region,
    email,
  ]);
}

/** The account of this id, else null. */
export async function userById(db: Db, userId: string): Promise<SigningInUser | null> {
  return firstRow<SigningInUser>(db, `SELECT ${SIGNING_IN} FROM users WHERE id = $1`, [userId]);
}

/** Where the account stands now; null when it is gone. */
export async function userStatus(db: Db, userId: string): Promise<UserStatus | null> {
  const user = await firstRow<{ status: UserStatus }>(db, 'SELECT status FROM users WHERE id = $1', [userId]);
  return user?.status ?? null;
}

/** An account whose e-mail address is verified; null for any other. */
export async function verifiedUser(db: Db, userId: string): Promise<{ email: string } | null> {
  return firstRow<{ email: string }>(
    db,
    'SELECT email FROM users WHERE id = $1 AND email_verified_at IS NOT NULL',
    [userId],
  );
}

/** When the account will be erased because its owner asked for that; null when it will not. */
export async function deletionDueAt(db: Db, userId: string): Promise<Date | null> {
  const user = await firstRow<{ dueAt: Date | null }>(
    db,
    'SELECT deletion_due_at AS due_at FROM users WHERE id = $1',
    [userId],
  );
  return user?.dueAt ?? null;
}
