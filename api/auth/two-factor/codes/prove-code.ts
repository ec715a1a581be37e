import { countFailedLogin, isLockedOut } from '../../../../db/identity/session/failed-login.writes';
import { supersedeTokens } from '../../../../db/identity/mailed-token/mailed-token.writes';
import { secondFactorOf, type SecondFactor } from '../../../../db/identity/second-factor/second-factor.reads';
import type { LockedUser } from '../../../../db/identity/user/user-lock.writes';
import type { Tx } from '../../../../db/sql/query';
import type { Context } from '../../../http/endpoint';
import { recordLockout } from '../../own-password';
import { destinationOf, masked } from './destination';
import { codeFor, sendCode } from './send-code';
import { takeCode } from './take-code';

type UserContext = Context<'user'>;

/** What became of a code of somebody who is signed in. `sent`: none was waiting, so one is on its way. */
export type ProvenCode =
  | { is: 'right' }
  | { is: 'not enabled' }
  | { is: 'missing' }
  | { is: 'wrong'; locks: boolean }
  | { is: 'sent'; destination: string };

/**
 * Takes a code of the second factor that is in force, and uses it up; a wrong one counts as a failed login. Where codes
 * are sent and none waits, one is sent. A factor whose code was right is theirs: the token that would undo it is good no
 * more. What it writes stays also when the code is wrong, so let the transaction commit
 * before anything is refused.
 */
export async function proveCode(
  tx: Tx,
  { identity, policy }: UserContext,
  user: LockedUser,
  code: string | undefined,
  purpose: 'DISABLE' | 'CONFIRM',
): Promise<ProvenCode> {
  const factor = await secondFactorOf(tx, user.id);
  if (!factor?.isEnabled) return { is: 'not enabled' };
  if (code === undefined) return sendOne(tx, identity, user, factor, purpose);
  const at = new Date();
  if (await isLockedOut(tx, user, at, policy)) return { is: 'wrong', locks: false };
  switch (await takeCode(tx, identity, factor, code, codeFor(purpose, user.id))) {
    case 'right':
      await supersedeTokens(tx, user.id, 'UNDO_TWO_FACTOR_ON', at);
      return { is: 'right' };
    case 'wrong':
      return { is: 'wrong', ...(await countFailedLogin(tx, user, at, policy)) };
    case 'none':
    case 'expired':
      return sendOne(tx, identity, user, factor, purpose);
  }
}

/** Writes down what became of a code, once that is committed. */
export function recordProvenCode(context: UserContext, { is, ...code }: ProvenCode): void {
  const { caller, recordSecurityEvent } = context;
  if (is !== 'right' && is !== 'wrong') return;
  const outcome = is === 'right' ? 'success' : 'failure';
  recordSecurityEvent({ event: 'second-factor', outcome, account: caller.id });
  if ('locks' in code && code.locks) recordLockout(context, caller.id);
}

async function sendOne(
  tx: Tx,
  identity: UserContext['identity'],
  user: LockedUser,
  { method }: SecondFactor,
  purpose: 'DISABLE' | 'CONFIRM',
): Promise<ProvenCode> {
  const destination = method === 'TOTP' ? null : destinationOf(user, method);
  if (method === 'TOTP' || destination === null) return { is: 'missing' };
  await sendCode(tx, identity, user, { purpose, channel: method, destination });
  return { is: 'sent', destination: masked(destination) };
}
