import type { Attributes } from 'sequelize';
import { execute, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { PendingRegistration as PendingRegistrationModel } from './pending-registration.model';

/** The checked input of a registration, with the password hashed. */
export type PendingRegistration = Omit<Attributes<PendingRegistrationModel>, 'createdAt'>;

const COLUMNS = [
  ...(['userId', 'region', 'email', 'passwordHash', 'firstName', 'lastName', 'phone'] as const),
  ...(['acceptedMarketing', 'sponsorId', 'touchId'] as const),
] as const;

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
  return table(db, PendingRegistrationModel).one(COLUMNS, { userId });
}

/** Deletes a registration that was completed or refused. */
export async function forgetPendingRegistration(db: Db, userId: string): Promise<void> {
  await table(db, PendingRegistrationModel).remove({ userId });
}
