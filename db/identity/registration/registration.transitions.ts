import { execute, firstRow, type Tx } from '../../sql/query';
import type { PendingRegistration } from './pending-registration.writes';
import type { UserStatus } from '../user/user.reads';

/** An account as it stands while it is locked. */
export interface LockedAccount {
  email: string;
  firstName: string;
  status: UserStatus;
  emailVerifiedAt: Date | null;
  createdAt: Date;
}

/** The account, locked; null when there is none (yet, or any more). */
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
 * Writes the account that was wished for, PENDING_VERIFICATION, with the role and level that everyone begins with.
 * Violates `users_region_email_key` when somebody has the address.
 */
export async function openAccount(tx: Tx, wish: PendingRegistration, at: Date): Promise<void> {
  await execute(
    tx,
    `INSERT INTO users (id, region, email, password_hash, status, first_name, last_name, phone,
         accepted_marketing, sponsor_id, terms_accepted_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, 'PENDING_VERIFICATION', $5, $6, $7, $8, $9, $10, $10, $10)`,
    [
      ...[wish.userId, wish.region, wish.email, wish.passwordHash, wish.firstName, wish.lastName, wish.phone],
      ...[wish.acceptedMarketing, wish.sponsorId, at],
    ],
  );
}

/** PENDING_VERIFICATION → ACTIVE; false, with nothing done, from any other status. */
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

/** Deletes an account that never was verified, so that its address is free again. Any other is left alone. */
export async function removeUnverified(tx: Tx, userId: string): Promise<void> {
  await execute(
    tx,
    `DELETE FROM users WHERE id = $1 AND status = 'PENDING_VERIFICATION' AND email_verified_at IS NULL`,
    [userId],
  );
}
