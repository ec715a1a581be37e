import { countFailedLogin, isLockedOut } from '../../db/identity/session/failed-login.writes';
import {
  countLoginTry,
  isLoginChallengeLive,
  newestLoginChallenge,
  useLoginChallenge,
  type LoginChallenge,
} from '../../db/identity/session/login-challenge.writes';
import {
  secondFactorOf,
  twoFactorMethodOf,
  type SecondFactor,
} from '../../db/identity/second-factor/second-factor.reads';
import { supersedeTokens } from '../../db/identity/mailed-token/mailed-token.writes';
import type { LockedUser } from '../../db/identity/user/user-lock.writes';
import type { SigningInUser } from '../../db/identity/user/user.reads';
import type { Tx } from '../../db/sql/query';
import { refusal } from '../../workflows/errors';
import type { Context } from '../http/handler-context';
import type { RemainingProof } from './sessions/begin-session.command';
import { recordLockout, wrongCredentials } from './own-password';
import { takeCode } from './two-factor/codes/take-code';

/** The refusal for anything wrong with a code or with the sign-in that it is for: always the same. */
export const wrongCode = () => refusal('INVALID_TWO_FACTOR_CODE');

/** True if the address and the password that were checked are still the account's. */
export const isUnchanged = (begun: SigningInUser, { email, passwordHash }: LockedUser): boolean =>
  begun.email === email && begun.passwordHash === passwordHash;

/** Proves that the checked address and password are still the account's, and that no second factor was turned on in the meantime. */
export const passwordIsEnough = (
  begun: SigningInUser,
  method: 'password' | 'external' = 'password',
): RemainingProof => ({
  method,
  proof: async (tx, user) => isUnchanged(begun, user) && (await twoFactorMethodOf(tx, user.id)) === null,
  ifWrong: wrongCredentials,
});

/** Proves a code that came with the password. Chosen: a sent code is the one of the newest sign-in that still waits. */
export const codeWithPassword = (begun: SigningInUser, code: string, context: Context): RemainingProof =>
  codeProof(begun.id, context, async (tx, user) => {
    const factor = await secondFactorOf(tx, user.id);
    if (!factor?.isEnabled || !isUnchanged(begun, user)) return { is: 'over' };
    const challenge = factor.method === 'TOTP' ? null : await newestLoginChallenge(tx, user.id);
    return takeLoginCode(tx, context, { user, factor, code, challenge });
  });

/** Proves a code that came with the token of an earlier step. */
export const codeWithToken = (
  { tokenHash, userId }: Pick<LoginChallenge, 'tokenHash' | 'userId'>,
  code: string,
  context: Context,
): RemainingProof =>
  codeProof(userId, context, async (tx, user) => {
    const factor = await secondFactorOf(tx, user.id);
    if (!factor?.isEnabled || !(await isLoginChallengeLive(tx, tokenHash))) return { is: 'over' };
    return takeLoginCode(tx, context, { user, factor, code, challenge: tokenHash });
  });

/** The result of a code. `over`: the sign-in that it is for has ended. */
type CodeResult = { is: 'right' | 'locked-out' | 'over' } | { is: 'wrong'; locks: boolean };

/** A proof by a code, which records its result in the security log. */
function codeProof(
  userId: string,
  context: Context,
  take: (tx: Tx, user: LockedUser) => Promise<CodeResult>,
): RemainingProof {
  let result: CodeResult = { is: 'over' };
  return {
    method: 'second-factor',
    async proof(tx, user) {
      result = await take(tx, user);
      return result.is === 'right';
    },
    ifWrong: wrongCode,
    record() {
      const outcome = result.is === 'right' ? 'success' : 'failure';
      const reason = result.is === 'right' ? {} : { reason: result.is };
      context.recordSecurityEvent({ event: 'second-factor', outcome, account: userId, ...reason });
      if (result.is === 'wrong' && result.locks) recordLockout(context, userId);
    },
  };
}

interface LoginCode {
  user: LockedUser;
  factor: SecondFactor;
  code: string;
  /** The hash of the sign-in's token; null if the code came without an earlier step. */
  challenge: string | null;
}

/**
 * Takes the code and uses up the sign-in; a wrong one counts as a failed login, like a wrong password. A factor that has
 * signed its owner in is proven to be theirs: the token that would undo it is no longer valid.
 */
async function takeLoginCode(
  tx: Tx,
  { identity, policy }: Context,
  { user, factor, code, challenge }: LoginCode,
): Promise<CodeResult> {
  const at = new Date();
  if (await isLockedOut(tx, user, at, policy)) return { is: 'locked-out' };
  const name = { userId: user.id, purpose: 'LOGIN' as const, boundTo: challenge };
  if ((await takeCode(tx, identity, factor, code, name)) === 'right') {
    if (challenge !== null) await useLoginChallenge(tx, challenge);
    await supersedeTokens(tx, user.id, 'UNDO_TWO_FACTOR_ON', at);
    return { is: 'right' };
  }
  if (challenge !== null) await countLoginTry(tx, challenge);
  return { is: 'wrong', ...(await countFailedLogin(tx, user, at, policy)) };
}
