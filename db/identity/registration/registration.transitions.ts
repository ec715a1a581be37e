import { execute, firstRow, type Tx } from '../../sql/query';
import type { PendingRegistration } from './pending-registration.writes';
import type { UserStatus } from '../user/user.reads';

/** An account while it is locked. */
export interface LockedAccount {
  email: string;
  firstName: string;
  status: UserStatus;
  emailVerifiedAt: Date | null;
  createdAt: Date;
}

/** The account, locked; null if there is none (not yet, or no longer). */
export async function lockAccount(tx: Tx, userId: string): Promise<LockedAccount | null> {
  return firstRow<LockedAccount>(
    tx,
    `SELECT email, first_name, status, email_verified_at,
            created_at
       FROM users WHERE id = $1 FOR NO KEY UPDATE`,
    [userId],
  );
}

/**
 * Adds the requested account, PENDING_VERIFICATION, with the default role and level. Violates `users_region_email_key`
 * if the address has an account.
 */
export async function openAccount(tx: Tx, pending: PendingRegistration, at: Date): Promise<void> {
  await execute(
    tx,
    `INSERT INTO users (id, region, email, password_hash, status, first_name, last_name, phone,
         accepted_marketing, sponsor_id, terms_accepted_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, 'PENDING_VERIFICATION', $5, $6, $7, $8, $9, $10, $10, $10)`,
    [
      ...[
        pending.userId,
        pending.region,
        pending.email,
        pending.passwordHash,
        pending.firstName,
        pending.lastName,
        pending.phone,
      ],
      ...[pending.acceptedMarketing, pending.sponsorId, at],
    ],
  );
}

/** PENDING_VERIFICATION → ACTIVE; false, with nothing done, in any other status. */
export async function activateVerified(tx: Tx, userId: string, at: Date): Promise<boolean> {
  const moved = await execute(
    tx,
    `UPDATE users SET status = 'ACTIVE', email_verified_at = $2, updated_at = $2,
            kyc_level = CASE kyc_level WHEN 'NONE' THEN 'BASIC' ELSE kyc_level END
      WHERE id = $1 AND status = 'PENDING_VERIFICATION'`,
    [userId, at],
  );
  return moved > 0;
}

/** Deletes an account that was never verified, which frees its address. Any other account stays. */
export async function removeUnverified(tx: Tx, userId: string): Promise<void> {
  await execute(
    tx,
    `DELETE FROM users WHERE id = $1 AND status = 'PENDING_VERIFICATION' AND email_verified_at IS NULL`,
    [userId],
  );
}
