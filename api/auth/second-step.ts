import { countFailedLogin, isLockedOut } from '../../db/identity/session/failed-login.writes';
import {
  countLoginTry,
  isLoginChallengeLive,
  newestLoginChallenge,
  openLoginChallenge,
  useLoginChallenge,
  type LoginChallenge,
} from '../../db/identity/session/login-challenge.writes';
import {
  secondFactorOf,
  twoFactorMethodOf,
  type SecondFactor,
  type TwoFactorMethod,
} from '../../db/identity/second-factor/second-factor.reads';
import { supersedeTokens } from '../../db/identity/mailed-token/mailed-token.writes';
import { lockUserForSignIn, type LockedUser } from '../../db/identity/user/user-lock.writes';
import type { SigningInUser } from '../../db/identity/user/user.reads';
import type { Tx } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import { refusal } from '../../workflows/errors';
import { newTempToken } from '../http/auth/tokens/temp-token';
import type { Context } from '../http/endpoint';
import { requireActive, type StillToShow } from './sessions/begin-session';
import { recordLockout } from './own-password';
import { destinationOf } from './two-factor/codes/destination';
import { sendCode } from './two-factor/codes/send-code';
import { takeCode } from './two-factor/codes/take-code';

/** Whatever is wrong with a code or the sign-in it is for, the answer is the same. */
export const wrongCode = () =>
  refusal('INVALID_TWO_FACTOR_CODE', 'The code is wrong, or the sign-in it is for is over.');

const wrongPassword = () => refusal('INVALID_CREDENTIALS', 'E-mail or password is wrong.');

/** Answers a right password with a token to go on with, and sends the code where codes are sent. */
export async function askForSecondFactor(
  begun: SigningInUser,
  method: TwoFactorMethod,
  deviceFingerprint: string | null,
  { db, identity }: Context,
) {
  const { token, hash } = newTempToken();
  await inTransaction(db, async (tx) => {
    const user = await lockUserForSignIn(tx, begun.id);
    requireActive(user?.status ?? null);
    if (!user || !isStill(begun, user)) throw wrongPassword();
    await openLoginChallenge(tx, { tokenHash: hash, userId: user.id, deviceFingerprint });
    if (method === 'TOTP') return;
    // Without a number that is still theirs, people are left with their backup codes.
    const destination = destinationOf(user, method);
    if (destination !== null)
      await sendCode(tx, identity, user, { purpose: 'LOGIN', channel: method, destination, boundTo: hash });
  });
  return { requiresTwoFactor: true as const, tempToken: token, methods: [method] };
}

/** Whether the address and the password that were checked are the account's still. */
const isStill = (begun: SigningInUser, { email, passwordHash }: LockedUser): boolean =>
  begun.email === email && begun.passwordHash === passwordHash;

/** What was checked is the account's still, and a second factor was not turned on meanwhile. */
export const passwordIsEnough = (
  begun: SigningInUser,
  method: 'password' | 'external' = 'password',
): StillToShow => ({
  method,
  proof: async (tx, user) => isStill(begun, user) && (await twoFactorMethodOf(tx, user.id)) === null,
  ifWrong: wrongPassword,
});

/** A code that came with the password. Chosen: one that was sent is that of the newest sign-in that still waits. */
export const codeWithPassword = (begun: SigningInUser, code: string, context: Context): StillToShow =>
  showing(begun.id, context, async (tx, user) => {
    const factor = await secondFactorOf(tx, user.id);
    if (!factor?.isEnabled || !isStill(begun, user)) return { is: 'over' };
    const challenge = factor.method === 'TOTP' ? null : await newestLoginChallenge(tx, user.id);
    return codeShown(tx, context, { user, factor, code, challenge });
  });

/** A code that came with the token of an earlier step. */
export const codeWithToken = (
  { tokenHash, userId }: Pick<LoginChallenge, 'tokenHash' | 'userId'>,
  code: string,
  context: Context,
): StillToShow =>
  showing(userId, context, async (tx, user) => {
    const factor = await secondFactorOf(tx, user.id);
    if (!factor?.isEnabled || !(await isLoginChallengeLive(tx, tokenHash))) return { is: 'over' };
    return codeShown(tx, context, { user, factor, code, challenge: tokenHash });
  });

/** What became of a code. `over`: the sign-in that it is for is no longer there. */
type Shown = { is: 'right' | 'locked-out' | 'over' } | { is: 'wrong'; locks: boolean };

/** A proof by a code, which tells the security log how it ended. */
function showing(
  userId: string,
  context: Context,
  show: (tx: Tx, user: LockedUser) => Promise<Shown>,
): StillToShow {
  let shown: Shown = { is: 'over' };
  return {
    method: 'second-factor',
    async proof(tx, user) {
      shown = await show(tx, user);
      return shown.is === 'right';
    },
    ifWrong: wrongCode,
    record() {
      const outcome = shown.is === 'right' ? 'success' : 'failure';
      const reason = shown.is === 'right' ? {} : { reason: shown.is };
      context.recordSecurityEvent({ event: 'second-factor', outcome, account: userId, ...reason });
      if (shown.is === 'wrong' && shown.locks) recordLockout(context, userId);
    },
  };
}

interface Showing {
  user: LockedUser;
  factor: SecondFactor;
  code: string;
  /** The hash of the sign-in's token; null when a code comes without an earlier step. */
  challenge: string | null;
}

/**
 * Takes the code and uses up the sign-in; a wrong one counts as a failed login, as a wrong password does. A factor that
 * has signed somebody in is theirs: the token that would undo it is good no more.
 */
async function codeShown(
  tx: Tx,
  { identity, policy }: Context,
  { user, factor, code, challenge }: Showing,
): Promise<Shown> {
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
