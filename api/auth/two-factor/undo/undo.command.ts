import type { MailedToken } from '../../../../db/identity/mailed-token/mailed-token.reads';
import { useToken } from '../../../../db/identity/mailed-token/mailed-token.writes';
import { secondFactorOf } from '../../../../db/identity/second-factor/second-factor.reads';
import {
  disableSecondFactor,
  restoreSecondFactor,
} from '../../../../db/identity/second-factor/second-factor.writes';
import { lockUserForSignIn } from '../../../../db/identity/user/user-lock.writes';
import type { Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { refusal } from '../../../../workflows/errors';
import type { Context } from '../../../http/handler-context';
import { requiresTotp } from '../requires-totp';
import { queueTwoFactorMail } from '../notice';
import { openKept } from './stored-factor';

type Deps = Pick<Context, 'db' | 'identity'>;
/** Stores the answer in the transaction of the undoing. */
type Conclude = (tx: Tx) => Promise<void>;

/**
 * Takes off the second factor that a mail reported, with its backup codes, and ends all sessions; of concurrent callers
 * one succeeds. Refused with INVALID_TOKEN, and nothing done: the token was used, the factor has been proven to be the
 * owner's, or the owner has become an administrator who needs it.
 */
export async function undoTwoFactorOn(
  { db, identity }: Deps,
  { id, userId }: MailedToken,
  conclude: Conclude,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const user = await lockUserForSignIn(tx, userId);
    if (!user || requiresTotp(identity, user) || !(await useToken(tx, id, new Date())))
      throw refusal('INVALID_TOKEN');
    await disableSecondFactor(tx, userId, null);
    await queueTwoFactorMail(tx, user, 'undone-on');
    await conclude(tx);
  });
}

/**
 * Puts the second factor back in force that a mail reported as turned off, and ends all sessions. Refused with
 * INVALID_TOKEN, and nothing done: the token was used, or another factor is in force, which must be undone first.
 */
export async function undoTwoFactorOff(
  { db, identity }: Deps,
  { id, userId, undoSealed }: MailedToken,
  conclude: Conclude,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const user = await lockUserForSignIn(tx, userId);
    if (!user || !undoSealed || (await secondFactorOf(tx, userId))?.isEnabled) throw refusal('INVALID_TOKEN');
    if (!(await useToken(tx, id, new Date()))) throw refusal('INVALID_TOKEN');
    await restoreSecondFactor(tx, userId, openKept(identity.sealing, id, undoSealed));
    await queueTwoFactorMail(tx, user, 'undone-off');
    await conclude(tx);
  });
}

/** The refusal of a token that undoes nothing, or no longer does. */
