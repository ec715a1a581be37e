import {
  takeSignIn,
  type PendingSignIn,
} from '../../../db/identity/external-account/external-sign-in.writes';
import { userOfExternal } from '../../../db/identity/external-account/external-account.reads';
import { twoFactorMethodOf } from '../../../db/identity/second-factor/second-factor.reads';
import { userById } from '../../../db/identity/user/user.reads';
import { refusal, refusalIn } from '../../../workflows/errors';
import type { ExternalClaims } from '../../http/auth/external/claims';
import { ExternalRefusal } from '../../http/auth/external/providers';
import type { Context } from '../../http/handler-context';
import { sponsorBy } from '../registration/sponsor';
import { askForSecondFactor } from '../sessions/ask-second-factor.command';
import { beginSession, requireActiveUser } from '../sessions/begin-session.command';
import { passwordIsEnough } from '../second-step';
import type { ProviderAnswer } from './answer';
import { STATE_COOKIE, stateCookieOf } from './cookie';
import { externalNames } from './names';
import { openExternalAccount } from './open-account.command';
import { requireProvider, unavailable } from './provider';

/** The refusals of `finishSignIn`. */
export const finishErrors = {
  INVALID_TOKEN: 400,
  ACCOUNT_NOT_VERIFIED: 403,
  ACCOUNT_SUSPENDED: 403,
  ACCOUNT_BANNED: 403,
  PROVIDER_NOT_FOUND: 404,
  PROVIDER_NOT_CONFIGURED: 503,
} as const;

/**
 * Finishes a sign-in that returned from its provider to the browser that began it, once: signs in, or asks for the second
 * factor, and redirects the browser. Returns the address that it continues at.
 */
export async function finishSignIn(
  provider: string,
  { user: posted, ...answer }: ProviderAnswer,
  context: Context,
): Promise<{ location: string }> {
  const { db, identity, request, reply } = context;
  requireProvider(identity.external, provider);
  const { state } = answer;
  if (state === undefined || request.cookie(STATE_COOKIE) !== state)
    throw unconfirmed('This sign-in was not started in this browser.');
  reply.clearCookie(STATE_COOKIE, stateCookieOf(identity.external, provider));
  const begun = await takeSignIn(db, state, provider);
  if (!begun) throw unconfirmed('This sign-in has expired. Start again.');
  const claims = await claimsOf(provider, state, begun, answer, context);
  const userId = await userOf(claims, posted, begun, context);
  const location = await signIn(userId, context).catch(withoutCredentials);
  reply.redirect(location);
  return { location };
}

async function claimsOf(
  provider: string,
  state: string,
  { nonce, codeVerifier }: PendingSignIn,
  answer: Omit<ProviderAnswer, 'user'>,
  { identity, log }: Context,
): Promise<ExternalClaims> {
  const sent = Object.entries(answer).filter((pair): pair is [string, string] => pair[1] !== undefined);
  try {
    return await identity.external.claims(provider, new URLSearchParams(sent), {
      state,
      nonce,
      codeVerifier,
    });
  } catch (error) {
    log.warn({ err: error, provider }, 'an external sign-in failed');
    throw error instanceof ExternalRefusal ? unconfirmed(error.message) : unavailable(provider);
  }
}

/** The account of this person; a new person gets one. */
async function userOf(
  claims: ExternalClaims,
  posted: string | undefined,
  { region, referralCode, touchId }: PendingSignIn,
  { db }: Context,
): Promise<string> {
  const { iss: issuer, sub: subject, email } = claims;
  const known = await userOfExternal(db, issuer, subject);
  if (known !== null) return known;
  if (email === undefined || claims.email_verified !== true)
    throw unconfirmed('The provider has not verified your email address.');
  await openExternalAccount(db, {
    ...{ issuer, subject, region, email },
    ...externalNames(claims, email, posted),
    ...(await sponsorBy(db, { code: referralCode, touchId })),
  });
  // Opened above, or by a concurrent request of the same person; else the address belongs to another account.
  const now = await userOfExternal(db, issuer, subject);
  if (now === null)
    throw unconfirmed('An account with this email address already exists. Sign in with its password.');
  return now;
}

/**
 * Signs in and answers the address that the browser continues at. With a second factor, the address carries the token
 * for POST /auth/login in its fragment, which browsers do not send to servers.
 */
async function signIn(userId: string, context: Context): Promise<string> {
  const { db, identity } = context;
  const { returnUrl } = identity.external;
  const user = await userById(db, userId);
  if (!user) throw unconfirmed('This account no longer exists.');
  requireActiveUser(user, context);
  const method = await twoFactorMethodOf(db, userId);
  if (method === null) {
    await beginSession(userId, null, context, passwordIsEnough(user, 'external'));
    return returnUrl;
  }
  const { tempToken } = await askForSecondFactor(user, method, null, context);
  const address = new URL(returnUrl);
  address.hash = new URLSearchParams({ tempToken, methods: method }).toString();
  return address.href;
}

/**
 * Replaces INVALID_CREDENTIALS, by which a sign-in ends whose account has changed since it was read: nobody sent any
 * here, and who begins again is signed in as the account is by then.
 */
function withoutCredentials(error: unknown): never {
  if (refusalIn(error)?.code !== 'INVALID_CREDENTIALS') throw error;
  throw unconfirmed('Your account has changed during this sign-in. Start again.');
}

const unconfirmed = (message: string) => refusal('INVALID_TOKEN', message);
