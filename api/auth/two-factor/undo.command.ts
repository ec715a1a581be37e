import type { MailedToken } from '../../../db/identity/mailed-token/mailed-token.reads';
import { useToken } from '../../../db/identity/mailed-token/mailed-token.writes';
import { secondFactorOf } from '../../../db/identity/second-factor/second-factor.reads';
import {
  disableSecondFactor,
  restoreSecondFactor,
} from '../../../db/identity/second-factor/second-factor.writes';
import { lockUserForSignIn } from '../../../db/identity/user/user-lock.writes';
import type { Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Context } from '../../http/endpoint';
import { openKept } from './kept-factor';
import { needsTotp } from './needs-totp';
import { queueTwoFactorMail } from './notice';

type Deps = Pick<Context, 'db' | 'identity'>;
/** Keeps the answer in the transaction that undoes. */
type Conclude = (tx: Tx) => Promise<void>;

/**
 * Takes off the second factor that a mail told of, with its backup codes, and ends all sessions. False, with nothing
 * done, when the token was used, the factor was shown to be theirs meanwhile, or the owner has become an administrator
 * who needs it. Of any number at once one wins.
 */
export function undoTwoFactorOn(
  { db, identity }: Deps,
  { id, userId }: MailedToken,
  conclude: Conclude,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const user = await lockUserForSignIn(tx, userId);
    if (!user || needsTotp(identity, user) || !(await useToken(tx, id, new Date()))) return false;
    await disableSecondFactor(tx, userId, null);
    await queueTwoFactorMail(tx, user, 'undone on');
    await conclude(tx);
    return true;
  });
}

/**
 * Puts the second factor in force again that a mail told was turned off, and ends all sessions. False, with nothing
 * done, when the token was used, or another factor is in force: that one has to be undone first.
 */
export function undoTwoFactorOff(
  { db, identity }: Deps,
  { id, userId, undoSealed }: MailedToken,
  conclude: Conclude,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const user = await lockUserForSignIn(tx, userId);
    if (!user || !undoSealed || (await secondFactorOf(tx, userId))?.isEnabled) return false;
    if (!(await useToken(tx, id, new Date()))) return false;
    await restoreSecondFactor(tx, userId, openKept(identity.sealing, id, undoSealed));
    await queueTwoFactorMail(tx, user, 'undone off');
    await conclude(tx);
    return true;
  });
}
