import { z } from 'zod';
import { countFailedLogin, isLockedOut } from '../../../db/identity/failed-login.writes';
import {
  secondFactorOf,
  twoFactorMethodOf,
  type SecondFactor,
} from '../../../db/identity/second-factor.reads';
import { disableSecondFactor } from '../../../db/identity/second-factor.writes';
import type { LockedUser } from '../../../db/identity/user-lock.writes';
import type { Tx } from '../../../db/sql';
import { inTransaction } from '../../../db/transaction';
import { refusal } from '../../../workflows/errors';
import { endpoint, type Context } from '../../http/endpoint';
import { authPerMinute } from '../../http/limits';
import { destinationOf, masked } from './destination';
import { lockedCaller } from './locked-caller';
import { tellOfTwoFactor } from './notice';
import { codeFor, sendCode } from './send-code';
import { proofCode, takeCode } from './take-code';

type UserContext = Context<'user'>;
type Outcome = { is: 'disabled' } | { is: 'wrong' } | { is: 'sent'; destination: string };

export const disableTwoFactor = endpoint({
  method: 'post',
  path: '/auth/2fa/disable',
  summary: 'Turn off two-factor sign-in',
  // Chosen: somebody whose codes come by SMS or e-mail asks for one by leaving it out (or by guessing where none
  // waits); the password must be right before anything is sent.
  description:
    'Needs the password and a current code or a backup code. Where codes come by SMS or e-mail, ask without `code` first: one is sent, and the answer is INVALID_CODE. All other sessions end.',
  tag: 'Authentication',
  auth: 'user',
  limit: { ...authPerMinute(100), also: authPerMinute(5) },
  idempotent: false,

  body: z
    .object({ password: z.string().min(1).max(1024), code: proofCode().optional() })
    .meta({ id: 'TwoFactorDisableRequest', example: { password: 'Buyer-demo-1!', code: '492039' } }),
  success: 200,
  data: z
    .object({ disabled: z.literal(true), message: z.string() })
    .meta({ id: 'TwoFactorDisabled', example: { disabled: true, message: 'Two-factor sign-in is off.' } }),
  errors: { TWO_FACTOR_NOT_ENABLED: 400, INVALID_PASSWORD: 401, INVALID_CODE: 401 },

  async handle({ body: { password, code } }, context) {
    const { caller, db } = context;
    if ((await twoFactorMethodOf(db, caller.id)) === null) throw notEnabled();
    const passwordHash = await requirePassword(password, context);
    const outcome = await inTransaction(db, async (tx) => {
      const user = await lockedCaller(tx, caller);
      if (user.passwordHash !== passwordHash) throw wrongPassword();
      return disableWith(tx, context, user, code);
    });
    if (outcome.is === 'disabled') return { disabled: true as const, message: 'Two-factor sign-in is off.' };
    if (outcome.is === 'wrong') throw refusal('INVALID_CODE', 'This code is wrong.');
    throw refusal('INVALID_CODE', `We have sent a code to ${outcome.destination}. Send it along.`);
  },
});

/** The hash that the password belongs to. Wrong ones count as failed logins: a session alone must not help to guess. */
async function requirePassword(
  password: string,
  { caller, db, identity }: UserContext,
): Promise<string | null> {
  const at = new Date();
  const { region, email, passwordHash } = await inTransaction(db, (tx) => lockedCaller(tx, caller));
  const matches = await identity.passwords.matches(password, passwordHash);
  if (!matches) await countFailedLogin(db, region, email, at);
  if (!matches || (await isLockedOut(db, region, email, at))) throw wrongPassword();
  return passwordHash;
}

async function disableWith(
  tx: Tx,
  { caller, identity }: UserContext,
  user: LockedUser,
  code: string | undefined,
): Promise<Outcome> {
  const factor = await secondFactorOf(tx, user.id);
  if (!factor?.isEnabled) throw notEnabled();
  const guess =
    code === undefined ? 'none' : await takeCode(tx, identity, factor, code, codeFor('DISABLE', user.id));
  switch (guess) {
    case 'right':
      await disableSecondFactor(tx, user.id, caller.sessionId);
      await tellOfTwoFactor(tx, user, 'off');
      return { is: 'disabled' };
    case 'wrong':
      await countFailedLogin(tx, user.region, user.email, new Date());
      return { is: 'wrong' };
    case 'none':
    case 'expired':
      return sendOne(tx, identity, user, factor);
  }
}

async function sendOne(
  tx: Tx,
  identity: UserContext['identity'],
  user: LockedUser,
  { method }: SecondFactor,
): Promise<Outcome> {
  const destination = method === 'TOTP' ? null : destinationOf(user, method);
  if (method === 'TOTP' || destination === null) return { is: 'wrong' };
  await sendCode(tx, identity, user, { purpose: 'DISABLE', channel: method, destination });
  return { is: 'sent', destination: masked(destination) };
}

const notEnabled = () => refusal('TWO_FACTOR_NOT_ENABLED', 'Two-factor sign-in is not on.');

const wrongPassword = () => refusal('INVALID_PASSWORD', 'The password is wrong.');
