import { z } from 'zod';
import { userOfExternal } from '../../../db/identity/external-account/external-account.reads';
import {
  takeSignIn,
  type PendingSignIn,
} from '../../../db/identity/external-account/external-sign-in.writes';
import { twoFactorMethodOf } from '../../../db/identity/second-factor/second-factor.reads';
import { userById } from '../../../db/identity/user/user.reads';
import { refusal, refusalIn } from '../../../workflows/errors';
import { ExternalRefusal, type ExternalClaims } from '../../http/auth/external/providers';
import { endpoint } from '../../http/endpoint';
import type { Context } from '../../http/handler-context';
import { authPerMinute } from '../../http/limits/limits';
import { askForSecondFactor } from '../sessions/ask-second-factor.command';
import { beginSession, requireActiveUser } from '../sessions/begin-session.command';
import { passwordIsEnough } from '../second-step';
import { sponsorOf } from '../registration/sponsor';
import { STATE_COOKIE, STATE_PATH } from './cookie';
import { externalNames } from './names';
import { openExternalAccount } from './open-account.command';
import { unavailable, ProviderParams, Redirect, requireProvider } from './provider';

const answer = z.string().max(4_000).optional();

export const endExternalSignIn = endpoint({
  id: 'finishExternalSignIn',
  returns: 'A redirect back to the shop',
  method: 'get',
  path: '/auth/external/:provider/callback',
  summary: 'Return from another provider',
  description:
    'Where the provider sends the browser. People with a second factor continue at `POST /auth/login` with the `tempToken` from the fragment of the address they are sent to; all others are signed in. The session is carried by cookies. A new person gets an account if the provider has verified their email address and no account here has it: an account is never handed over for an address alone.',
  tag: 'Authentication',
  auth: 'public',
  limit: authPerMinute(100),

  params: ProviderParams,
  query: z.object({
    state: answer.describe('The state of the sign-in, from the provider.'),
    code: answer.describe('The code of the sign-in, from the provider.'),
    iss: answer.describe('The issuer, from the provider.'),
    error: answer.describe('The reason why the provider signed nobody in.'),
    error_description: answer.describe("The provider's words about the error."),
  }),
  success: 302,
  data: Redirect,
  errors: {
    INVALID_TOKEN: 400,
    ACCOUNT_NOT_VERIFIED: 403,
    ACCOUNT_SUSPENDED: 403,
    ACCOUNT_BANNED: 403,
    PROVIDER_NOT_FOUND: 404,
    PROVIDER_NOT_CONFIGURED: 503,
  },

  async handle({ params: { provider }, query }, context) {
    const { db, identity, request, reply } = context;
    requireProvider(identity.external, provider);
    const { state } = query;
    if (state === undefined || request.cookie(STATE_COOKIE) !== state)
      throw unconfirmed('This sign-in was not started in this browser.');
    reply.clearCookie(STATE_COOKIE, { path: STATE_PATH });
    const begun = await takeSignIn(db, state, provider);
    if (!begun) throw unconfirmed('This sign-in has expired. Start again.');
    const claims = await claimsOf(provider, state, begun, query, context);
    const userId = await userOf(claims, begun.region, context);
    const location = await signIn(userId, context).catch(withoutCredentials);
    reply.redirect(location);
    return { location };
  },
});

async function claimsOf(
  provider: string,
  state: string,
  { nonce, codeVerifier }: PendingSignIn,
  query: Record<string, string | undefined>,
  { identity, log }: Context,
): Promise<ExternalClaims> {
  const sent = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  try {
    return await identity.external.claims(provider, new URLSearchParams(sent).toString(), {
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
async function userOf(claims: ExternalClaims, region: string, context: Context): Promise<string> {
  const { db } = context;
  const { iss: issuer, sub: subject, email } = claims;
  const known = await userOfExternal(db, issuer, subject);
  if (known !== null) return known;
  if (email === undefined || claims.email_verified !== true)
    throw unconfirmed('The provider has not verified your email address.');
  await openExternalAccount(db, {
    ...{ issuer, subject, region, email },
    ...externalNames(claims, email),
    ...(await sponsorOf(undefined, context)),
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
