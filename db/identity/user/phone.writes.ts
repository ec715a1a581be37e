import { execute, firstRow, rows, type Db, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { User } from './user.model';

/** A telephone number (E.164) in a region of the platform; proven numbers are unique per region. */
export interface RegionalPhone {
  region: string;
  phone: string;
}

/**
 * Locks a number against transactions that name or prove it. Call it before a user's row is locked: a transaction that
 * holds a row and waits here would deadlock with one that proves the number.
 */
export async function lockPhone(tx: Tx, { region, phone }: RegionalPhone): Promise<void> {
  await execute(tx, `SELECT pg_advisory_xact_lock(hashtextextended('phone:' || $1 || ':' || $2, 0))`, [
    region,
    phone,
  ]);
}

/** Locks a number in the region of the user who will get it. */
export async function lockPhoneFor(tx: Tx, userId: string, phone: string): Promise<void> {
  const user = await table(tx, User).one(['region'], { id: userId });
  if (user) await lockPhone(tx, { region: user.region, phone });
}

/**
 * Locks what the code sent for a user's new number will change when it comes back: the number, then the user and the
 * accounts that have named the number, in the order of their ids.
 */
export async function lockAwaitedPhone(tx: Tx, userId: string): Promise<void> {
  const awaited = await firstRow<RegionalPhone>(
    tx,
    `SELECT u.region, c.destination AS phone FROM sent_codes c JOIN users u ON u.id = c.user_id
      WHERE c.user_id = $1 AND c.purpose = 'PHONE' AND c.used_at IS NULL AND c.superseded_at IS NULL`,
    [userId],
  );
  if (!awaited) return;
  await lockPhone(tx, awaited);
  await rows(
    tx,
    `SELECT id FROM users WHERE id = $1 OR (region = $2 AND phone = $3 AND phone_verified_at IS NULL)
      ORDER BY id FOR UPDATE`,
    [userId, awaited.region, awaited.phone],
  );
}

/** True if another account of the region has this number, proven or not. */
export async function isPhoneNamed(
  db: Db,
  { region, phone }: RegionalPhone,
  exceptUserId: string,
): Promise<boolean> {
  const other = await firstRow(db, 'SELECT 1 FROM users WHERE region = $1 AND phone = $2 AND id <> $3', [
    region,
    phone,
    exceptUserId,
  ]);
  return other !== null;
}

/** True if another account of the user's region has proven this number. */
export async function isPhoneProvenByAnother(db: Db, userId: string, phone: string): Promise<boolean> {
  const other = await firstRow(
    db,
    `SELECT 1 FROM users other JOIN users own ON own.region = other.region
      WHERE own.id = $1 AND other.id <> $1 AND other.phone = $2 AND other.phone_verified_at IS NOT NULL`,
    [userId, phone],
  );
  return other !== null;
}

/**
 * Sets a number that the user has proven, and removes it from accounts that only named it. Violates
 * `users_region_proven_phone_key` if another account has proven it.
 */
export async function setVerifiedPhone(tx: Tx, userId: string, phone: string): Promise<void> {
  await execute(
    tx,
    `UPDATE users SET phone = NULL, updated_at = now()
      WHERE region = (SELECT region FROM users WHERE id = $1) AND phone = $2 AND id <> $1
        AND phone_verified_at IS NULL`,
    [userId, phone],
  );
  await execute(
    tx,
    'UPDATE users SET phone = $2, phone_verified_at = now(), updated_at = now() WHERE id = $1',
    [userId, phone],
  );
  // A second factor set up for the number before must not be enabled for this one.
  await execute(
    tx,
    `DELETE FROM second_factors WHERE user_id = $1 AND method = 'SMS' AND enabled_at IS NULL`,
    [userId],
  );
}
