import { violates } from '../../../db/sql/errors';
import { isUsedBy, mailedToken } from '../../../db/identity/mailed-token/mailed-token.reads';
import { useToken } from '../../../db/identity/mailed-token/mailed-token.writes';
import {
  activateVerified,
  lockAccount,
  openAccount,
  removeUnverified,
  type LockedAccount,
} from '../../../db/identity/registration/registration.transitions';
import {
  forgetPendingRegistration,
  pendingRegistration,
  type PendingRegistration,
} from '../../../db/identity/registration/pending-registration.writes';
import { isPhoneNamed, lockPhone } from '../../../db/identity/user/phone.writes';
import { convertTouch } from '../../../db/partners/referral-touch.writes';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import type {
  AwaitedVerification,
  RegistrationActivities,
  RegistrationStanding,
} from '../../../workflows/identity/registration/registration.contract';
import { removedAt } from '../../../workflows/identity/registration/registration.rules';
import { mailVerification, type RegistrationPolicy } from './registration-mail';

interface RegistrationDeps {
  db: Db;
  policy: RegistrationPolicy;
}

/** Each is one transaction and may run any number of times: what was done before is only answered again. */
export const registrationActivities = ({ db, policy }: RegistrationDeps): RegistrationActivities => ({
  async register(asked) {
    try {
      return await inTransaction(db, (tx) => registerIn(tx, asked, policy));
    } catch (error) {
      if (violates(error, 'users_region_email_key'))
        throw refusal('EMAIL_ALREADY_EXISTS', 'There is an account of this e-mail address already.', {
          email: ['belongs to an account'],
        });
      throw error;
    }
  },

  registrationStanding: ({ userId }) =>
    inTransaction(db, async (tx) => standingOf(await lockAccount(tx, userId), policy)),

  verifyEmail: (asked) => inTransaction(db, (tx) => verifyEmailIn(tx, asked)),

  resendVerification: ({ userId, tokenId, at }) =>
    inTransaction(db, async (tx) => {
      const account = await lockAccount(tx, userId);
      if (!account) throw refusal('USER_NOT_FOUND', 'There is no such account.');
      if (await mailedToken(tx, tokenId)) return null;
      if (account.status !== 'PENDING_VERIFICATION') throw alreadyVerified();
      await mailVerification(tx, account, { userId, tokenId, at: new Date(at) }, policy);
      return null;
    }),

  removeUnverified: ({ userId, at }) =>
    inTransaction(db, async (tx) => {
      const standing = standingOf(await lockAccount(tx, userId), policy);
      if (typeof standing === 'string' || standing.removeAt > at) return standing;
      await removeUnverified(tx, userId);
      return 'GONE';
    }),
});

type Asked = Parameters<RegistrationActivities['register']>[0];

async function registerIn(
  tx: Tx,
  { userId, tokenId, at }: Asked,
  policy: RegistrationPolicy,
): Promise<AwaitedVerification> {
  const before = await lockAccount(tx, userId);
  if (before) return awaited(before.createdAt, policy);
  const wish = await pendingRegistration(tx, userId);
  // Nobody waits any more for what lay undone for a day.
  if (!wish)
    throw refusal('SERVICE_UNAVAILABLE', 'This registration came to nothing. Please register again.');
  const moment = new Date(at);
  await openUnlessTaken(tx, wish, moment);
  await mailVerification(tx, wish, { userId, tokenId, at: moment }, policy);
  if (wish.touchId !== null && wish.sponsorId !== null) await convertTouch(tx, wish.touchId, userId, moment);
  await forgetPendingRegistration(tx, userId);
  return awaited(moment, policy);
}

/** Chosen: whoever registers names a number of nobody's, proven or not; it is theirs when they prove it. */
async function openUnlessTaken(tx: Tx, wish: PendingRegistration, at: Date): Promise<void> {
  const { userId, region, phone } = wish;
  if (phone !== null) await lockPhone(tx, { region, phone });
  await openAccount(tx, wish, at);
  if (phone !== null && (await isPhoneNamed(tx, { region, phone }, userId)))
    throw refusal('PHONE_ALREADY_EXISTS', 'There is an account of this telephone number already.', {
      phone: ['belongs to an account'],
    });
}

async function verifyEmailIn(
  tx: Tx,
  { userId, tokenId, at, ...by }: Parameters<RegistrationActivities['verifyEmail']>[0],
): Promise<{ verifiedAt: string }> {
  const account = await lockAccount(tx, userId);
  const token = await mailedToken(tx, tokenId);
  if (!account || token?.userId !== userId) throw invalidToken();
  const moment = new Date(at);
  if (token.usedAt !== null && isUsedBy(token, { ...by, at: moment }))
    return { verifiedAt: token.usedAt.toISOString() }; // Done before, and asked again.
  if (account.emailVerifiedAt !== null) throw alreadyVerified();
  if (token.superseded || account.status !== 'PENDING_VERIFICATION') throw invalidToken();
  if (!(await useToken(tx, tokenId, moment, by.useId)))
    throw refusal('TOKEN_EXPIRED', 'This token has expired. Ask for another mail.');
  await activateVerified(tx, userId, moment);
  return { verifiedAt: at };
}

const awaited = (createdAt: Date, { unverifiedDays }: RegistrationPolicy): AwaitedVerification => ({
  createdAt: createdAt.toISOString(),
  removeAt: removedAt(createdAt, unverifiedDays).toISOString(),
});

function standingOf(account: LockedAccount | null, policy: RegistrationPolicy): RegistrationStanding {
  if (!account) return 'GONE';
  return account.status === 'PENDING_VERIFICATION' ? awaited(account.createdAt, policy) : 'VERIFIED';
}

const alreadyVerified = (): Error => refusal('ALREADY_VERIFIED', 'This e-mail address is verified already.');

const invalidToken = (): Error => refusal('INVALID_TOKEN', 'This token is not valid.');
