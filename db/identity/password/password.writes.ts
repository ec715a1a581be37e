import { v7 } from 'uuid';
import { execute, firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { supersedeTokens } from '../mailed-token/mailed-token.writes';
import { endOtherSessions } from '../session/session.writes';
import { EarlierPassword } from './earlier-password.model';
import { REMEMBERED_PASSWORDS, type PasswordOwner } from './password.reads';

export interface PasswordChange {
  /** As read when the new password was compared with the earlier ones. */
  owner: PasswordOwner;
  /** Argon2id. */
  newHash: string;
  /** The only session that goes on; null: all end. */
  exceptSessionId: string | null;
  at: Date;
}

/**
 * Replaces a password, and ends the other sessions and the mailed tokens that reset it; returns where to report that.
 * Null, with nothing done, if the password has changed since it was read.
 */
export async function replacePassword(
  tx: Tx,
  { owner, newHash, exceptSessionId, at }: PasswordChange,
): Promise<{ email: string; firstName: string } | null> {
  const replaced = await firstRow<{ email: string; firstName: string }>(
    tx,
    `UPDATE users SET password_hash = $2, password_changed_at = $3, updated_at = $3
      WHERE id = $1 AND password_hash IS NOT DISTINCT FROM $4
      RETURNING email, first_name`,
    [owner.id, newHash, at, owner.passwordHash],
  );
  if (!replaced) return null;
  await rememberPassword(tx, owner, at);
  await supersedeTokens(tx, owner.id, 'RESET_PASSWORD', at);
  await endOtherSessions(tx, owner.id, exceptSessionId, 'PASSWORD');
  return replaced;
}

/** Stores the replaced password, and deletes those that may be chosen again. */
async function rememberPassword(tx: Tx, { id, passwordHash }: PasswordOwner, at: Date): Promise<void> {
  if (passwordHash === null) return;
  await table(tx, EarlierPassword).insert({ id: v7(), userId: id, passwordHash, replacedAt: at });
  await execute(
    tx,
    `DELETE FROM password_history WHERE id IN
       (SELECT id FROM password_history WHERE user_id = $1 ORDER BY replaced_at DESC, id DESC OFFSET $2)`,
    [id, REMEMBERED_PASSWORDS - 1],
  );
}
