import type { Attributes } from 'sequelize';
import { execute, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { User } from '../user/user.model';
import type { PendingRegistration } from './pending-registration.writes';

const COLUMNS = ['email', 'firstName', 'status', 'emailVerifiedAt', 'createdAt'] as const;

/** An account while it is locked. */
export type LockedAccount = Pick<Attributes<User>, (typeof COLUMNS)[number]>;

/** The account, locked; null if there is none (not yet, or no longer). */
export async function lockAccount(tx: Tx, userId: string): Promise<LockedAccount | null> {
  return table(tx, User).one(COLUMNS, { id: userId }, { lock: 'NO_KEY_UPDATE' });
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
  await table(tx, User).remove({ id: userId, status: 'PENDING_VERIFICATION', emailVerifiedAt: null });
}
