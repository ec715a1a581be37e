import type { Attributes } from 'sequelize';
import { firstRow, type Tx } from '../../sql/query';
import type { User } from './user.model';

// Two strengths. Inserting a row that refers to a user (an order, a session, a cart) takes a share of the user's key.
// Signing in and changing credentials do not block inserts that reference the user (NO KEY UPDATE). A decision on
// the account (suspend, ban, delete) locks the key as well: until it commits, no new row of that user can slip in.

/** An account as signing in and changes of credentials read it. */
export type LockedUser = Pick<
  Attributes<User>,
  'id' | 'region' | 'status' | 'roles' | 'firstName' | 'email' | 'phone' | 'passwordHash'
> & { isEmailVerified: boolean; isPhoneVerified: boolean };

/**
 * The account, locked against other sign-ins, changes of credentials and decisions until the transaction ends; null if
 * it is gone.
 */
export async function lockUserForSignIn(tx: Tx, userId: string): Promise<LockedUser | null> {
  return firstRow<LockedUser>(
    tx,
    `SELECT id, region, status, roles, first_name, email, email_verified_at IS NOT NULL AS is_email_verified,
            phone, phone_verified_at IS NOT NULL AS is_phone_verified, password_hash
       FROM users WHERE id = $1 FOR NO KEY UPDATE`,
    [userId],
  );
}

/** An account as decisions on its status read it. */
export type UserUnderDecision = Pick<
  Attributes<User>,
  'id' | 'email' | 'firstName' | 'status' | 'roles' | 'suspendedUntil' | 'suspensionReason' | 'erasedAt'
>;

/** The account, locked against sign-ins, other decisions and new rows that refer to it; null if there is none. */
export async function lockUserForDecision(tx: Tx, userId: string): Promise<UserUnderDecision | null> {
  return firstRow<UserUnderDecision>(
    tx,
    `SELECT id, email, first_name, status, roles, suspended_until, suspension_reason, erased_at
       FROM users WHERE id = $1 FOR UPDATE`,
    [userId],
  );
}
