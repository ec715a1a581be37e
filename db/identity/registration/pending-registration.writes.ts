import { execute, firstRow, type Db } from '../../sql/query';

/** The checked input of a registration, with the password hashed. */
export interface PendingRegistration {
  userId: string;
  region: string;
  /** Lower case. */
  email: string;
  /** Argon2id. */
  passwordHash: string;
  firstName: string;
  lastName: string;
  /** E.164. */
  phone: string | null;
  acceptedMarketing: boolean;
  /** The partner who referred them. */
  sponsorId: string | null;
  /** The referral touch that their browser's cookie names. */
  touchId: string | null;
}

/** Stores a registration before its process starts. The same id again, or one that has an account, changes nothing. */
export async function keepPendingRegistration(db: Db, pending: PendingRegistration): Promise<void> {
  await execute(
    db,
    `INSERT INTO pending_registrations (user_id, region, email, password_hash, first_name, last_name, phone,
         accepted_marketing, sponsor_id, touch_id, created_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now()
       WHERE NOT EXISTS (SELECT FROM users WHERE id = $1)
     ON CONFLICT (user_id) DO NOTHING`,
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
      ...[pending.acceptedMarketing, pending.sponsorId, pending.touchId],
    ],
  );
}

/** The stored registration; null once it was completed or refused, or after a day. */
export async function pendingRegistration(db: Db, userId: string): Promise<PendingRegistration | null> {
  return firstRow<PendingRegistration>(
    db,
    `SELECT user_id, region, email, password_hash, first_name,
            last_name, phone, accepted_marketing, sponsor_id,
            touch_id
       FROM pending_registrations WHERE user_id = $1`,
    [userId],
  );
}

/** Deletes a registration that was completed or refused. */
export async function forgetPendingRegistration(db: Db, userId: string): Promise<void> {
  await execute(db, 'DELETE FROM pending_registrations WHERE user_id = $1', [userId]);
}
