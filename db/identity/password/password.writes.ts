import { v7 } from 'uuid';
import { letter } from '../../administration/outbox/letter';
import { enqueueMail } from '../../administration/outbox/outbox.writes';
import { execute, firstRow, type Db, type Tx } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';
import { supersedeTokens, useToken } from '../mailed-token/mailed-token.writes';
import { REMEMBERED_PASSWORDS, type PasswordOwner } from './password.reads';
import { endOtherSessions } from '../session/session.writes';

interface Change {
  /** As it was read when the new password was held against the old ones. */
  owner: PasswordOwner;
  /** Argon2id. */
  newHash: string;
  /** The only session that goes on; null: none does. */
  exceptSessionId: string | null;
  at: Date;
}

/**
 * Puts a new password in the place of the old, ends the other sessions and what was mailed to reset it, and tells the
 * owner. False, with nothing done, when the password was changed since it was read.
 */
export async function changePassword(db: Db, change: Change): Promise<boolean> {
  return inTransaction(db, (tx) => replacePassword(tx, change));
}

/**
 * The same for whoever presents a mailed token, which is used up by it; every session ends. False, with nothing done,
 * when the token is no longer good. Of any number at once one wins.
 */
export async function resetPassword(
  db: Db,
  tokenId: string,
  change: Omit<Change, 'exceptSessionId'>,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    // First the user, as everyone does who writes both.
    await execute(tx, 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [change.owner.id]);
    if (!(await useToken(tx, tokenId, change.at))) return false;
    if (await replacePassword(tx, { ...change, exceptSessionId: null })) return true;
    throw new Error('A password was changed and the tokens to reset it were not ended.');
  });
}

async function replacePassword(tx: Tx, { owner, newHash, exceptSessionId, at }: Change): Promise<boolean> {
  const replaced = await firstRow<{ email: string; firstName: string }>(
    tx,
    `UPDATE users SET password_hash = $2, password_changed_at = $3, updated_at = $3
      WHERE id = $1 AND password_hash IS NOT DISTINCT FROM $4
      RETURNING email, first_name`,
    [owner.id, newHash, at, owner.passwordHash],
  );
  if (!replaced) return false;
  await remember(tx, owner, at);
  await supersedeTokens(tx, owner.id, 'RESET_PASSWORD', at);
  await endOtherSessions(tx, owner.id, exceptSessionId, 'PASSWORD');
  await enqueueMail(tx, {
    reference: `password-changed:${v7()}`,
    to: replaced.email,
    ...letter({
      subject: 'Your password was changed',
      greeting: `Hello ${replaced.firstName},`,
      paragraphs: [
        'The password of your account was just changed, and you were signed out everywhere else.',
        'If this was not you, ask for a new password at once.',
      ],
    }),
  });
  return true;
}

/** Keeps the password that was, and no more of them than count. */
async function remember(tx: Tx, { id, passwordHash }: PasswordOwner, at: Date): Promise<void> {
  if (passwordHash === null) return;
  await execute(
    tx,
    `INSERT INTO password_history (id, user_id, password_hash, replaced_at) VALUES ($1, $2, $3, $4)`,
    [v7(), id, passwordHash, at],
  );
  await execute(
    tx,
    `DELETE FROM password_history WHERE id IN
       (SELECT id FROM password_history WHERE user_id = $1 ORDER BY replaced_at DESC, id DESC OFFSET $2)`,
    [id, REMEMBERED_PASSWORDS - 1],
  );
}
