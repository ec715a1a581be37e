import type { Attributes } from 'sequelize';
import { rows, type Tx } from '../../sql/query';
import type { User } from '../user/user.model';

/** The fields that an administrator may set; what is left out stays, null clears the field. */
export interface UserChanges {
  email?: string | undefined;
  phone?: string | null | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  middleName?: string | null | undefined;
  /** YYYY-MM-DD. */
  dateOfBirth?: string | null | undefined;
  language?: string | null | undefined;
  timezone?: string | null | undefined;
  roles?: readonly string[] | undefined;
}

/** An account as administrators change it. */
export type AdministeredUser = Pick<
  Attributes<User>,
  keyof UserChanges | 'id' | 'status' | 'updatedAt' | 'erasedAt'
>;

const COLUMNS: Record<keyof UserChanges, string> = {
  email: 'email',
  phone: 'phone',
  firstName: 'first_name',
  lastName: 'last_name',
  middleName: 'middle_name',
  dateOfBirth: 'date_of_birth',
  language: 'language',
  timezone: 'timezone',
  roles: 'roles',
};

const COLUMN_LIST = `id, email, phone, status, first_name, last_name, middle_name,
  date_of_birth::text AS date_of_birth, language, timezone, roles, updated_at, erased_at`;

/** Accounts, locked in the order of their ids, so that two administrators who change each other do not deadlock. */
export const lockUsersToAdminister = (tx: Tx, ids: readonly string[]): Promise<AdministeredUser[]> =>
  rows<AdministeredUser>(
    tx,
    `SELECT ${COLUMN_LIST} FROM users WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE`,
    [ids],
  );

/** The fields that these changes name. */
export const namesOf = (changes: UserChanges): (keyof UserChanges)[] =>
  Object.keys(COLUMNS).filter((name): name is keyof UserChanges => name in changes);

/**
 * Changes a locked account; `changes` is not empty. A new e-mail address counts as verified if the one before did, a new
 * telephone number does not. Violates `users_region_email_key` if another account of the region has the address.
 */
export async function updateUser(
  tx: Tx,
  userId: string,
  changes: UserChanges,
  at: Date,
): Promise<AdministeredUser> {
  const names = namesOf(changes);
  const assignments = names.map((name, i) => `${COLUMNS[name]} = $${i + 3}`);
  if (names.includes('phone')) assignments.push('phone_verified_at = NULL');
  if (names.includes('email'))
    assignments.push('email_verified_at = CASE WHEN email_verified_at IS NOT NULL THEN $2::timestamptz END');
  const [user] = await rows<AdministeredUser>(
    tx,
    `UPDATE users SET ${[...assignments, 'updated_at = $2'].join(', ')} WHERE id = $1 RETURNING ${COLUMN_LIST}`,
    [userId, at, ...names.map((name) => changes[name])],
  );
  if (!user) throw new Error(`User ${userId} is locked and gone.`);
  return user;
}
