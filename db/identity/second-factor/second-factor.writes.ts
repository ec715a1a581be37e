import type { Attributes } from 'sequelize';
import type { TwoFactorMethod } from '../../../workflows/identity/second-factor/second-factor.rules';
import { execute, firstRow, type Db, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { supersedeTokens } from '../mailed-token/mailed-token.writes';
import { endOtherSessions } from '../session/session.writes';
import { BackupCode } from './backup-code.model';
import { SecondFactor } from './second-factor.model';

/**
 * Sets up a second factor, which is not in force until it is verified. It replaces an earlier setup; false, with nothing
 * done, if a second factor is in force.
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
 * Puts the set-up factor in force with its backup codes, and ends the user's other sessions, which have not shown it. An
 * earlier factor can no longer be brought back. The user's row is locked.
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
 * Deletes the second factor with its backup codes, ends the tokens that would undo it or bring an earlier one back, and
 * ends the user's other sessions (null: all). The user's row is locked.
 */
export async function disableSecondFactor(
  tx: Tx,
  userId: string,
  exceptSessionId: string | null,
  reason: 'TWO_FACTOR' | 'ADMIN' = 'TWO_FACTOR',
): Promise<void> {
  await table(tx, SecondFactor).remove({ userId });
  const at = new Date();
  await supersedeTokens(tx, userId, 'UNDO_TWO_FACTOR_ON', at);
  await supersedeTokens(tx, userId, 'UNDO_TWO_FACTOR_OFF', at);
  await endOtherSessions(tx, userId, exceptSessionId, reason);
}

/** All that is needed to put a second factor back in force. */
export type StoredSecondFactor = Pick<Attributes<SecondFactor>, 'method' | 'secretSealed'> & {
  lastStep: number;
  /** Unused backup codes. */
  codeHashes: string[];
};

/** The user's second factor in a form that can be restored; null if none is in force. The user's row is locked. */
export async function secondFactorToKeep(tx: Tx, userId: string): Promise<StoredSecondFactor | null> {
  const factor = await firstRow<Omit<StoredSecondFactor, 'codeHashes'>>(
    tx,
    `SELECT method, secret_sealed, last_step::float8 AS last_step
       FROM second_factors WHERE user_id = $1 AND enabled_at IS NOT NULL`,
    [userId],
  );
  if (!factor) return null;
  const codes = await table(tx, BackupCode).all(['codeHash'], { userId, usedAt: null });
  return { ...factor, codeHashes: codes.map(({ codeHash }) => codeHash) };
}

/** Puts a second factor back in force, replacing one that was only set up, and ends all sessions. */
export async function restoreSecondFactor(
  tx: Tx,
  userId: string,
  { method, secretSealed, lastStep, codeHashes }: StoredSecondFactor,
): Promise<void> {
  await table(tx, SecondFactor).remove({ userId });
  await execute(
    tx,
    `INSERT INTO second_factors (user_id, method, secret_sealed, created_at, enabled_at, last_step)
     VALUES ($1, $2, $3, now(), now(), $4)`,
    [userId, method, secretSealed, lastStep],
  );
  await addBackupCodes(tx, userId, codeHashes);
  await endOtherSessions(tx, userId, null, 'TWO_FACTOR');
}

const addBackupCodes = (tx: Tx, userId: string, codeHashes: readonly string[]): Promise<void> =>
  table(tx, BackupCode).insertAll(codeHashes.map((codeHash) => ({ userId, codeHash, usedAt: null })));

/** Uses up a TOTP step and all before it; exactly one of several concurrent callers with the same step gets true. */
export async function useTotpStep(db: Db, userId: string, step: number): Promise<boolean> {
  const moved = await execute(
    db,
    'UPDATE second_factors SET last_step = $2 WHERE user_id = $1 AND last_step < $2',
    [userId, step],
  );
  return moved > 0;
}

/** Uses up the backup code of this hash; exactly one of several concurrent callers with the same code gets true. */
export async function useBackupCode(db: Db, userId: string, codeHash: string): Promise<boolean> {
  const used = await execute(
    db,
    'UPDATE backup_codes SET used_at = now() WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL',
    [userId, codeHash],
  );
  return used > 0;
}
