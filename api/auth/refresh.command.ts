import {
  prolongSession,
  takeRefreshToken,
  unacceptedToken,
  type RefreshedSession,
  type UnacceptedToken,
} from '../../db/identity/session/refresh-token.writes';
import { endSession } from '../../db/identity/session/session.writes';
import type { Tx } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import { refusal } from '../../workflows/errors';
import type { Context } from '../http/handler-context';

/** A client that races itself presents a token twice within moments; after this time, reuse counts as theft. */
const REUSE_GRACE_SECONDS = 20;

interface NextToken {
  hash: string;
  lifetimeSeconds: number;
}

/**
 * Replaces the presented refresh token and prolongs its session. Exactly one of several concurrent callers with the same
 * token succeeds. A token that is used again later ends its session: one of its two holders has stolen it, and nobody
 * can tell which. Refused: INVALID_REFRESH_TOKEN, REFRESH_TOKEN_EXPIRED, SESSION_REVOKED.
 */
export async function refreshSession(
  { db, recordSecurityEvent }: Pick<Context, 'db' | 'recordSecurityEvent'>,
  presentedHash: string,
  next: NextToken,
): Promise<RefreshedSession> {
  const { session, unaccepted } = await inTransaction(db, async (tx) => {
    const session = await takeRefreshToken(tx, presentedHash);
    if (!session) return { session, unaccepted: await endIfReused(tx, presentedHash) };
    await prolongSession(tx, session.sessionId, next.hash, next.lifetimeSeconds);
    return { session, unaccepted: null };
  });
  if (session) return session;
  if (unaccepted?.isReused)
    recordSecurityEvent({ event: 'refresh-token-reuse', outcome: 'failure', account: unaccepted.userId });
  throw refusedToken(unaccepted);
}

type Unaccepted = UnacceptedToken & { isReused: boolean };

/** The state of a token that was not accepted. A reused one ends its session, which stays so after the refusal. */
async function endIfReused(tx: Tx, presentedHash: string): Promise<Unaccepted | null> {
  const token = await unacceptedToken(tx, presentedHash);
  if (!token) return null;
  const isReused = !token.isRevoked && (token.secondsSinceRotation ?? 0) > REUSE_GRACE_SECONDS;
  if (isReused) await endSession(tx, token.sessionId, 'REUSE');
  return { ...token, isReused };
}

function refusedToken(token: Unaccepted | null): Error {
  if (token?.isRevoked || token?.isReused) return refusal('SESSION_REVOKED');
  if (token && token.secondsSinceRotation === null) return refusal('REFRESH_TOKEN_EXPIRED');
  return refusal('INVALID_REFRESH_TOKEN');
}
