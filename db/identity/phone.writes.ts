import { execute, firstRow, type Db } from '../sql';

/** Whether another account of the region has this number (E.164), verified or not. */
export async function isPhoneTaken(
  db: Db,
  region: string,
  phone: string,
  exceptUserId: string,
): Promise<boolean> {
  const other = await firstRow(db, 'SELECT 1 FROM users WHERE region = $1 AND phone = $2 AND id <> $3', [
    region,
    phone,
    exceptUserId,
  ]);
  return other !== null;
}

/** Gives the user a number (E.164) that they have shown to be theirs. */
export async function setVerifiedPhone(db: Db, userId: string, phone: string): Promise<void> {
  await execute(
    db,
    'UPDATE users SET phone = $2, phone_verified_at = now(), updated_at = now() WHERE id = $1',
    [userId, phone],
  );
  // What was set up for the number before must not come into force for this one.
  await execute(
    db,
    `DELETE FROM second_factors WHERE user_id = $1 AND method = 'SMS' AND enabled_at IS NULL`,
    [userId],
  );
}
