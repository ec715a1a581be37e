import { countFailedLogin, isLockedOut } from '../../../../db/identity/session/failed-login.writes';
import { supersedeTokens } from '../../../../db/identity/mailed-token/mailed-token.writes';
import { secondFactorOf, type SecondFactor } from '../../../../db/identity/second-factor/second-factor.reads';
import type { LockedUser } from '../../../../db/identity/user/user-lock.writes';
import type { Tx } from '../../../../db/sql/query';
import type { Context } from '../../../http/handler-context';
import { recordLockout } from '../../own-password';
import { destinationOf, masked } from './destination';
import { codeFor, sendCode } from './send-code';
import { takeCode } from './take-code';

type UserContext = Context<'user'>;

/** The result of a signed-in person's code. `sent`: none was waiting, so one was sent. */
export type ProvenCode =
  | { is: 'right' }
  | { is: 'not-enabled' }
  | { is: 'missing' }
  | { is: 'wrong'; locks: boolean }
  | { is: 'sent'; destination: string };

/**
 * Takes a code of the second factor in force and uses it up; a wrong one counts as a failed login. Where codes are sent
 * and none is waiting, one is sent. A right code ends the token that would undo the factor: it is proven to be theirs.
 * A wrong code must be refused after the transaction commits, so that it stays counted.
 */
export async function proveCode(
  tx: Tx,
  { identity, policy }: UserContext,
  user: LockedUser,
  code: string | undefined,
  purpose: 'DISABLE' | 'CONFIRM',
): Promise<ProvenCode> {
  const factor = await secondFactorOf(tx, user.id);
  if (!factor?.isEnabled) return { is: 'not-enabled' };
  if (code === undefined) return sendAnother(tx, identity, user, factor, purpose);
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
      return sendAnother(tx, identity, user, factor, purpose);
  }
}

/** Records the result of a code in the security log, after the commit. */
export function recordProvenCode(context: UserContext, { is, ...code }: ProvenCode): void {
  const { caller, recordSecurityEvent } = context;
  if (is !== 'right' && is !== 'wrong') return;
  const outcome = is === 'right' ? 'success' : 'failure';
  recordSecurityEvent({ event: 'second-factor', outcome, account: caller.id });
  if ('locks' in code && code.locks) recordLockout(context, caller.id);
}

async function sendAnother(
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
