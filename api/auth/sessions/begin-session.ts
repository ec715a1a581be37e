import { v7 } from 'uuid';
import { openSession, type SignInProof } from '../../../db/identity/session/session.writes';
import { userStatus, type SigningInUser, type UserStatus } from '../../../db/identity/user/user.reads';
import { refusal } from '../../../workflows/errors';
import { newRefreshToken } from '../../http/auth/tokens/refresh-token';
import type { Context } from '../../http/endpoint';
import { cancelDeletion } from '../../users/deletion/cancel-deletion';
import { setSessionCookies } from './session-cookies';

/** What a client acts with from now on. */
export interface BegunSession {
  accessToken: string;
  refreshToken: string;
  /** Lifetime of the access token in seconds. */
  expiresIn: number;
  tokenType: 'Bearer';
}

/** Refuses whoever may not sign in now, with the code that says why. */
export function requireActive(status: UserStatus | null): void {
  switch (status) {
    case 'ACTIVE':
      return;
    case 'PENDING_VERIFICATION':
      throw refusal('ACCOUNT_NOT_VERIFIED', 'Confirm your e-mail address first: we have sent you a message.');
    case 'SUSPENDED':
      throw refusal('ACCOUNT_SUSPENDED', 'This account is suspended.');
    case 'BANNED':
      throw refusal('ACCOUNT_BANNED', 'This account is banned.');
    case null:
      throw refusal('INVALID_CREDENTIALS', 'E-mail or password is wrong.');
  }
}

/** The same for somebody who has shown the password, or what another provider says: it is written down. */
export function requireActiveUser(
  { id, status }: Pick<SigningInUser, 'id' | 'status'>,
  { recordSecurityEvent }: Context,
): void {
  if (status !== 'ACTIVE')
    recordSecurityEvent({ event: 'login', outcome: 'failure', account: id, reason: status });
  requireActive(status);
}

/** What is still to be shown at the moment the session opens, and what is answered when it is not. */
export interface StillToShow {
  /** How somebody signs in, for the security log. */
  method: 'password' | 'second-factor' | 'external';
  proof: SignInProof;
  ifWrong: () => Error;
  /** What else the proof is to write into the security log, once its transaction is over. */
  record?: () => void;
}

/** Begins a session of somebody who has shown who they are, and gives browsers their cookies. */
export async function beginSession(
  userId: string,
  deviceFingerprint: string | null,
  context: Context,
  { method, proof, ifWrong, record }: StillToShow,
): Promise<BegunSession> {
  const { db, geo, identity, recordSecurityEvent, request, reply } = context;
  const id = v7();
  const { token, hash } = newRefreshToken();
  const session = {
    id,
    userId,
    userAgent: request.userAgent?.slice(0, 512) ?? null,
    ipAddress: request.clientAddress,
    deviceFingerprint,
    place: geo.locate(request.clientAddress),
    refreshTokenHash: hash,
    lifetimeSeconds: identity.settings.REFRESH_TOKEN_SECONDS,
    sessionLimit: identity.settings.SESSION_LIMIT,
  };
  const opened = await openSession(db, session, proof);
  record?.();
  const outcome = opened ? 'success' : 'failure';
  recordSecurityEvent({ event: 'login', outcome, account: userId, method });
  if (!opened) {
    // Suspended, banned or deleted while they showed who they are.
    requireActive(await userStatus(db, userId));
    throw ifWrong();
  }
  await cancelDeletion(context, userId);
  const tokens = {
    accessToken: await identity.accessTokens.issue(userId, id),
    refreshToken: token,
    expiresIn: identity.accessTokens.lifetimeSeconds,
    tokenType: 'Bearer' as const,
  };
  setSessionCookies(reply, tokens, identity.settings);
  return tokens;
}
