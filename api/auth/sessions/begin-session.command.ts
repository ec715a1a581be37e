import { v7 } from 'uuid';
import { addSession, endSessionsBeyond, type NewSession } from '../../../db/identity/session/session.writes';
import { lockUserForSignIn, type LockedUser } from '../../../db/identity/user/user-lock.writes';
import { userStatus, type SigningInUser, type UserStatus } from '../../../db/identity/user/user.reads';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import { newRefreshToken } from '../../http/auth/tokens/refresh-token';
import type { Context } from '../../http/handler-context';
import { wrongCredentials } from '../own-password';
import { cancelDeletion } from '../../users/deletion/cancel-deletion';
import { setSessionCookies } from '../../http/auth/tokens/session-cookies';

/** The tokens of a new session. */
export interface BegunSession {
  accessToken: string;
  refreshToken: string;
  /** Lifetime of the access token in seconds. */
  expiresIn: number;
  tokenType: 'Bearer';
}

/** Refuses an account that may not sign in now, with the code that says why. */
export function requireActive(status: UserStatus | null): void {
  switch (status) {
    case 'ACTIVE':
      return;
    case 'PENDING_VERIFICATION':
      throw refusal('ACCOUNT_NOT_VERIFIED');
    case 'SUSPENDED':
      throw refusal('ACCOUNT_SUSPENDED');
    case 'BANNED':
      throw refusal('ACCOUNT_BANNED');
    case null:
      throw wrongCredentials();
  }
}

/** Refuses as `requireActive` does, after the password or another provider's proof was right: the security log records the refusal. */
export function requireActiveUser(
  { id, status }: Pick<SigningInUser, 'id' | 'status'>,
  { recordSecurityEvent }: Context,
): void {
  if (status !== 'ACTIVE')
    recordSecurityEvent({ event: 'login', outcome: 'failure', account: id, reason: status });
  requireActive(status);
}

/**
 * Decides, with the user's row locked, whether a person has proven all that the account requires by now. Its writes
 * stay even if it returns false, such as a wrong code that was counted.
 */
export type SignInProof = (tx: Tx, user: LockedUser) => Promise<boolean>;

/** The part of a sign-in that is decided when the session opens. */
export interface RemainingProof {
  /** The kind of sign-in, for the security log. */
  method: 'password' | 'second-factor' | 'external';
  proof: SignInProof;
  /** The refusal if the proof returns false. */
  ifWrong: () => Error;
  /** Records the result of the proof in the security log, after its transaction. */
  record?: () => void;
}

/**
 * Opens a session; false, with no session, if the user is no longer ACTIVE or the proof returns false. Sign-ins of one
 * user wait for each other, so the limit holds in a race, and none slips past a change of password or second factor.
 */
export function openSession(
  db: Db,
  { sessionLimit, ...session }: NewSession & { sessionLimit: number },
  proof: SignInProof = () => Promise.resolve(true),
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const user = await lockUserForSignIn(tx, session.userId);
    if (user?.status !== 'ACTIVE' || !(await proof(tx, user))) return false;
    await addSession(tx, session);
    await endSessionsBeyond(tx, session.userId, sessionLimit);
    return true;
  });
}

/** Begins a session of a person who has signed in, and sets the cookies of browsers. */
export async function beginSession(
  userId: string,
  deviceFingerprint: string | null,
  context: Context,
  { method, proof, ifWrong, record }: RemainingProof,
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
    // Suspended, banned or deleted during the sign-in.
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
