import { execute, firstRow, type Db, type Tx } from '../sql';
import type { TwoFactorMethod } from './second-factor.reads';
import { endOtherSessions } from './session.writes';

/**
 * Remembers what a second factor is to be; it is not in force until it was verified. One that was set up before gives
 * way, unless it is in force: then nothing is done, and the answer is false.
 */
export async function setUpSecondFactor(
  db: Db,
  userId: string,
  method: TwoFactorMethod,
  secretSealed: Buffer | null,
): Promise<boolean> {
  const written = await firstRow(
    db,
    `INSERT INTO second_factors AS factor (user_id, method, secret_sealed, created_at) VALUES ($1, $2, $3, now())
     ON CONFLICT (user_id) DO UPDATE
       SET method = excluded.method, secret_sealed = excluded.secret_sealed, created_at = excluded.created_at
       WHERE factor.enabled_at IS NULL
     RETURNING user_id`,
    [userId, method, secretSealed],
  );
  return written !== null;
}

/**
 * Puts in force what was set up, with its backup codes, and ends the user's other sessions: whoever else is signed in
 * has not shown it. To be called with the user's row locked.
 */
export async function enableSecondFactor(
  tx: Tx,
  userId: string,
  codeHashes: readonly string[],
  exceptSessionId: string,
): Promise<void> {
  await execute(tx, 'UPDATE second_factors SET enabled_at = now() WHERE user_id = $1', [userId]);
  await execute(
    tx,
    'INSERT INTO backup_codes (user_id, code_hash) SELECT $1, code_hash FROM unnest($2::text[]) AS code_hash',
    [userId, codeHashes],
  );
  await endOtherSessions(tx, userId, exceptSessionId, 'TWO_FACTOR');
}

/** Forgets the second factor with its backup codes, and ends the user's other sessions. The user's row is locked. */
export async function disableSecondFactor(tx: Tx, userId: string, exceptSessionId: string): Promise<void> {
  await execute(tx, 'DELETE FROM second_factors WHERE user_id = $1', [userId]);
  await endOtherSessions(tx, userId, exceptSessionId, 'TWO_FACTOR');
}

/** Uses up a TOTP step and all before it; of any number of callers with one step exactly one is answered true. */
export async function useTotpStep(db: Db, userId: string, step: number): Promise<boolean> {
  const moved = await execute(
    db,
    'UPDATE second_factors SET last_step = $2 WHERE user_id = $1 AND last_step < $2',
    [userId, step],
  );
  return moved > 0;
}

/** Uses up a backup code of this hash; of any number of callers with one code exactly one is answered true. */
export async function useBackupCode(db: Db, userId: string, codeHash: string): Promise<boolean> {
  const used = await execute(
    db,
    'UPDATE backup_codes SET used_at = now() WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL',
    [userId, codeHash],
  );
  return used > 0;
}
