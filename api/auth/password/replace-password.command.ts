import { v7 } from 'uuid';
import { letter } from '../../../db/administration/outbox/letter';
import { enqueueMail } from '../../../db/administration/outbox/outbox.writes';
import { useToken } from '../../../db/identity/mailed-token/mailed-token.writes';
import { replacePassword, type PasswordChange } from '../../../db/identity/password/password.writes';
import { lockUserForSignIn } from '../../../db/identity/user/user-lock.writes';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import { passwordChangedLetter } from '../../../workflows/identity/password/password.letters';

/** Replaces the password of a signed-in owner; false, with nothing done, if it has changed since it was read. */
export function changePassword(db: Db, change: PasswordChange): Promise<boolean> {
  return inTransaction(db, (tx) => replaceAndMail(tx, change));
}

/**
 * Replaces a password with a mailed token, which is used up; every session ends. Exactly one of several concurrent
 * callers succeeds. `conclude` runs in the same transaction. Refused: INVALID_TOKEN, for a token that is no longer good.
 */
export async function resetPassword(
  db: Db,
  tokenId: string,
  change: Omit<PasswordChange, 'exceptSessionId'>,
  conclude: (tx: Tx) => Promise<void>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    // The user's row first, as everywhere that both are written.
    await lockUserForSignIn(tx, change.owner.id);
    if (!(await useToken(tx, tokenId, change.at))) throw refusal('INVALID_TOKEN');
    if (!(await replaceAndMail(tx, { ...change, exceptSessionId: null })))
      throw new Error('A password was changed and the tokens to reset it were not ended.');
    await conclude(tx);
  });
}

async function replaceAndMail(tx: Tx, change: PasswordChange): Promise<boolean> {
  const owner = await replacePassword(tx, change);
  if (!owner) return false;
  await enqueueMail(tx, {
    reference: `password-changed:${v7()}`,
    to: owner.email,
    ...letter(passwordChangedLetter(owner.firstName)),
  });
  return true;
}

/** The refusal of a token that resets no password, or no longer does. */
