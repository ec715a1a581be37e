import { execute, firstRow, rows, type Db, type Tx } from '../../sql/query';

/** A telephone number (E.164) in the region where it counts. */
export interface RegionalPhone {
  region: string;
  phone: string;
}

/**
 * Makes everyone who names or proves this number wait until the transaction ends. To be called before a user's row is
 * locked: who holds a row and waits here would deadlock with who proves the number.
 */
export async function lockPhone(tx: Tx, { region, phone }: RegionalPhone): Promise<void> {
  await execute(tx, `SELECT pg_advisory_xact_lock(hashtextextended('phone:' || $1 || ':' || $2, 0))`, [
    region,
    phone,
  ]);
}

/** The same for a number that is to be given to a user, in that user's region. */
export async function lockPhoneFor(tx: Tx, userId: string, phone: string): Promise<void> {
  const user = await firstRow<{ region: string }>(tx, 'SELECT region FROM users WHERE id = $1', [userId]);
  if (user) await lockPhone(tx, { region: user.region, phone });
}

/**
 * Locks what a code sent to a user for a new number will change when it comes back: the number, the user, and the
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

/** Whether another account of the region has this number, proven or only named. */
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

/** Whether another account of the user's region has proven that this number is its own. */
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
 * Gives the user a number that they have shown to be theirs, and takes it from accounts that only named it. Violates
 * `users_region_proven_phone_key` when another account has proven it.
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
  // What was set up for the number before must not come into force for this one.
  await execute(
    tx,
    `DELETE FROM second_factors WHERE user_id = $1 AND method = 'SMS' AND enabled_at IS NULL`,
    [userId],
  );
}
