import { firstRow, type Tx } from '../../sql/query';
import type { UserStatus } from './user.reads';

/** An account as signing in and changing what it takes see it. */
export interface LockedUser {
  id: string;
  region: string;
  status: UserStatus;
  roles: string[];
  firstName: string;
  email: string;
  isEmailVerified: boolean;
  /** E.164. */
  phone: string | null;
  isPhoneVerified: boolean;
  passwordHash: string | null;
}

/**
 * The account as it stands, and as it will stand until the transaction ends: sign-ins, and changes of what they take,
 * wait for each other here. Null when it is gone.
 */
export async function lockUser(tx: Tx, userId: string): Promise<LockedUser | null> {
  return firstRow<LockedUser>(
    tx,
    `SELECT id, region, status, roles, first_name, email, email_verified_at IS NOT NULL AS is_email_verified,
            phone, phone_verified_at IS NOT NULL AS is_phone_verified, password_hash
       FROM users WHERE id = $1 FOR NO KEY UPDATE`,
    [userId],
  );
}
