import { countFailedLogin, isLockedOut } from '../../db/identity/failed-login.writes';
import {
  countLoginTry,
  isLoginChallengeLive,
  newestLoginChallenge,
  openLoginChallenge,
  useLoginChallenge,
} from '../../db/identity/login-challenge.writes';
import {
  secondFactorOf,
  twoFactorMethodOf,
  type SecondFactor,
  type TwoFactorMethod,
} from '../../db/identity/second-factor.reads';
import { lockUser, type LockedUser } from '../../db/identity/user-lock.writes';
import type { SigningInUser } from '../../db/identity/user.reads';
import type { Tx } from '../../db/sql';
import { inTransaction } from '../../db/transaction';
import { refusal } from '../../workflows/errors';
import { newTempToken } from '../http/auth/temp-token';
import type { Context } from '../http/endpoint';
import { requireActive, type StillToShow } from './begin-session';
import { destinationOf } from './two-factor/destination';
import { sendCode } from './two-factor/send-code';
import { takeCode } from './two-factor/take-code';

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
    const user = await lockUser(tx, begun.id);
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
export const passwordIsEnough = (begun: SigningInUser): StillToShow => ({
  proof: async (tx, user) => isStill(begun, user) && (await twoFactorMethodOf(tx, user.id)) === null,
  otherwise: wrongPassword,
});

/** A code that came with the password. Chosen: one that was sent is that of the newest sign-in that still waits. */
export const codeWithPassword = (begun: SigningInUser, code: string, context: Context): StillToShow => ({
  async proof(tx, user) {
    const factor = await secondFactorOf(tx, user.id);
    if (!factor?.isEnabled || !isStill(begun, user)) return false;
    const challenge = factor.method === 'TOTP' ? null : await newestLoginChallenge(tx, user.id);
    return isShown(tx, context, { user, factor, code, challenge });
  },
  otherwise: wrongCode,
});

/** A code that came with the token of an earlier step. */
export const codeWithToken = (challenge: string, code: string, context: Context): StillToShow => ({
  async proof(tx, user) {
    const factor = await secondFactorOf(tx, user.id);
    if (!factor?.isEnabled || !(await isLoginChallengeLive(tx, challenge))) return false;
    return isShown(tx, context, { user, factor, code, challenge });
  },
  otherwise: wrongCode,
});

interface Showing {
  user: LockedUser;
  factor: SecondFactor;
  code: string;
  /** The hash of the sign-in's token; null when a code comes without an earlier step. */
  challenge: string | null;
}

/** Takes the code and uses up the sign-in; a wrong one counts as a failed login, as a wrong password does. */
async function isShown(
  tx: Tx,
  { identity }: Context,
  { user, factor, code, challenge }: Showing,
): Promise<boolean> {
  const { id: userId, region, email } = user;
  const at = new Date();
  if (await isLockedOut(tx, region, email, at)) return false;
  const name = { userId, purpose: 'LOGIN' as const, boundTo: challenge };
  if ((await takeCode(tx, identity, factor, code, name)) === 'right') {
    if (challenge !== null) await useLoginChallenge(tx, challenge);
    return true;
  }
  if (challenge !== null) await countLoginTry(tx, challenge);
  await countFailedLogin(tx, region, email, at);
  return false;
}
