import { execute, firstRow, type Db } from '../../sql/query';

/** What somebody typed, checked and with the password hashed. */
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
  /** The partner who brought them. */
  sponsorId: string | null;
  /** The visit by a partner's link that their browser remembers. */
  touchId: string | null;
}

/** Keeps a wish before its process is asked. The same id again, or one whose account is there, changes nothing. */
export async function keepPendingRegistration(db: Db, wish: PendingRegistration): Promise<void> {
  await execute(
    db,
    `INSERT INTO registration_wishes (user_id, region, email, password_hash, first_name, last_name, phone,
         accepted_marketing, sponsor_id, touch_id, created_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now()
       WHERE NOT EXISTS (SELECT FROM users WHERE id = $1)
     ON CONFLICT (user_id) DO NOTHING`,
    [
      ...[wish.userId, wish.region, wish.email, wish.passwordHash, wish.firstName, wish.lastName, wish.phone],
      ...[wish.acceptedMarketing, wish.sponsorId, wish.touchId],
    ],
  );
}

/** The kept wish; null once it came true, was refused, or was forgotten after a day. */
export async function pendingRegistration(db: Db, userId: string): Promise<PendingRegistration | null> {
  return firstRow<PendingRegistration>(
    db,
    `SELECT user_id, region, email, password_hash, first_name,
            last_name, phone, accepted_marketing, sponsor_id,
            touch_id
       FROM registration_wishes WHERE user_id = $1`,
    [userId],
  );
}

/** Forgets what was typed: it came true or was refused. */
export async function forgetPendingRegistration(db: Db, userId: string): Promise<void> {
  await execute(db, 'DELETE FROM registration_wishes WHERE user_id = $1', [userId]);
}
