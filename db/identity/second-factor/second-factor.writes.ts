import { execute, firstRow, rows, type Db, type Tx } from '../../sql/query';
import { supersedeTokens } from '../mailed-token/mailed-token.writes';
import type { TwoFactorMethod } from './second-factor.reads';
import { endOtherSessions } from '../session/session.writes';

/**
 * Remembers what a second factor is to be; it is not in force until it was verified. One that was set up before gives
 * way, unless it is in force: then nothing is done, and the answer is false.
 */
export async function setUpSecondFactor(
  tx: Tx,
  userId: string,
  method: TwoFactorMethod,
  secretSealed: Buffer | null,
): Promise<boolean> {
  const written = await firstRow(
    tx,
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
 * has not shown it. An earlier factor can no longer be brought back. To be called with the user's row locked.
 */
export async function enableSecondFactor(
  tx: Tx,
  userId: string,
  codeHashes: readonly string[],
  exceptSessionId: string,
): Promise<void> {
  await execute(tx, 'UPDATE second_factors SET enabled_at = now() WHERE user_id = $1', [userId]);
  await addBackupCodes(tx, userId, codeHashes);
  await supersedeTokens(tx, userId, 'UNDO_TWO_FACTOR_OFF', new Date());
  await endOtherSessions(tx, userId, exceptSessionId, 'TWO_FACTOR');
}

/**
 * Forgets the second factor with its backup codes and the tokens that would undo it or bring an earlier one back, and
 * ends the user's other sessions (null: all). The user's row is locked.
 */
export async function disableSecondFactor(
  tx: Tx,
  userId: string,
  exceptSessionId: string | null,
  reason: 'TWO_FACTOR' | 'ADMIN' = 'TWO_FACTOR',
): Promise<void> {
  await execute(tx, 'DELETE FROM second_factors WHERE user_id = $1', [userId]);
  const at = new Date();
  await supersedeTokens(tx, userId, 'UNDO_TWO_FACTOR_ON', at);
  await supersedeTokens(tx, userId, 'UNDO_TWO_FACTOR_OFF', at);
  await endOtherSessions(tx, userId, exceptSessionId, reason);
}

/** A second factor that is in force, as it is kept while it can be brought back. */
export interface KeptSecondFactor {
  method: TwoFactorMethod;
  secretSealed: Buffer | null;
  lastStep: number;
  /** Backup codes that are not used. */
  codeHashes: string[];
}

/** The user's second factor with all that brings it back; null when none is in force. The user's row is locked. */
export async function secondFactorToKeep(tx: Tx, userId: string): Promise<KeptSecondFactor | null> {
  const factor = await firstRow<Omit<KeptSecondFactor, 'codeHashes'>>(
    tx,
    `SELECT method, secret_sealed, last_step::float8 AS last_step
       FROM second_factors WHERE user_id = $1 AND enabled_at IS NOT NULL`,
    [userId],
  );
  if (!factor) return null;
  const codes = await rows<{ hash: string }>(
    tx,
    'SELECT code_hash AS hash FROM backup_codes WHERE user_id = $1 AND used_at IS NULL',
    [userId],
  );
  return { ...factor, codeHashes: codes.map(({ hash }) => hash) };
}

/** Puts a second factor in force again, in the place of one that was only set up, and ends all sessions. */
export async function restoreSecondFactor(
  tx: Tx,
  userId: string,
  { method, secretSealed, lastStep, codeHashes }: KeptSecondFactor,
): Promise<void> {
  await execute(tx, 'DELETE FROM second_factors WHERE user_id = $1', [userId]);
  await execute(
    tx,
    `INSERT INTO second_factors (user_id, method, secret_sealed, created_at, enabled_at, last_step)
     VALUES ($1, $2, $3, now(), now(), $4)`,
    [userId, method, secretSealed, lastStep],
  );
  await addBackupCodes(tx, userId, codeHashes);
  await endOtherSessions(tx, userId, null, 'TWO_FACTOR');
}

const addBackupCodes = (tx: Tx, userId: string, codeHashes: readonly string[]): Promise<number> =>
  execute(
    tx,
    'INSERT INTO backup_codes (user_id, code_hash) SELECT $1, code_hash FROM unnest($2::text[]) AS code_hash',
    [userId, codeHashes],
  );

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
