import type { Attributes } from 'sequelize';
import { REGIONS, type UserStatus } from '../../../workflows/identity/user/user.rules';
import { firstRow, literals, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { User } from './user.model';

export type { UserStatus };

/** The columns that sign-in needs. */
export type SigningInUser = Pick<
  Attributes<User>,
  'id' | 'email' | 'status' | 'roles' | 'firstName' | 'lastName' | 'avatarUrl' | 'passwordHash'
>;

/** Every region, as a list in SQL: naming them all lets the key of users be read by an address alone. */
export const ANY_REGION = literals(REGIONS);

const SIGNING_IN = `id, email, status, roles, first_name, last_name,
  avatar_url, password_hash`;

/** The account of this lower-case e-mail address in a region, or null. */
export async function userByEmail(db: Db, region: string, email: string): Promise<SigningInUser | null> {
  return firstRow<SigningInUser>(db, `SELECT ${SIGNING_IN} FROM users WHERE region = $1 AND email = $2`, [
    region,
    email,
  ]);
}

/** The account of this id, or null. */
export async function userById(db: Db, userId: string): Promise<SigningInUser | null> {
  return firstRow<SigningInUser>(db, `SELECT ${SIGNING_IN} FROM users WHERE id = $1`, [userId]);
}

/** The status of an account; null if it is gone. */
export async function userStatus(db: Db, userId: string): Promise<UserStatus | null> {
  return (await table(db, User).one(['status'], { id: userId }))?.status ?? null;
}

/** The account if its e-mail address is verified, else null. */
export async function verifiedUser(db: Db, userId: string): Promise<{ email: string } | null> {
  return firstRow<{ email: string }>(
    db,
    'SELECT email FROM users WHERE id = $1 AND email_verified_at IS NOT NULL',
    [userId],
  );
}

/** The time when the account will be erased; null if no deletion is scheduled. */
export async function deletionDueAt(db: Db, userId: string): Promise<Date | null> {
  return (await table(db, User).one(['deletionDueAt'], { id: userId }))?.deletionDueAt ?? null;
}
