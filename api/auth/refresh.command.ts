import {
  prolongSession,
  takeRefreshToken,
  rejectedToken,
  type RefreshedSession,
  type RejectedToken,
} from '../../db/identity/session/refresh-token.writes';
import { endSession } from '../../db/identity/session/session.writes';
import type { Tx } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import { refusal } from '../../workflows/errors';
import type { Context } from '../http/handler-context';

/** A client that races itself presents a token twice within seconds; after this time, reuse counts as theft. */
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
  const { session, rejected } = await inTransaction(db, async (tx) => {
    const session = await takeRefreshToken(tx, presentedHash);
    if (!session) return { session, rejected: await endIfReused(tx, presentedHash) };
    await prolongSession(tx, session.sessionId, next.hash, next.lifetimeSeconds);
    return { session, rejected: null };
  });
  if (session) return session;
  if (rejected?.isReused)
    recordSecurityEvent({ event: 'refresh-token-reuse', outcome: 'failure', account: rejected.userId });
  throw refusedToken(rejected);
}

type Rejected = RejectedToken & { isReused: boolean };

/** Why the token was rejected. Reuse ends the session, and that is committed although the request is refused. */
async function endIfReused(tx: Tx, presentedHash: string): Promise<Rejected | null> {
  const token = await rejectedToken(tx, presentedHash);
  if (!token) return null;
  const isReused = !token.isRevoked && (token.secondsSinceRotation ?? 0) > REUSE_GRACE_SECONDS;
  if (isReused) await endSession(tx, token.sessionId, 'REUSE');
  return { ...token, isReused };
}

function refusedToken(token: Rejected | null): Error {
  if (token?.isRevoked || token?.isReused) return refusal('SESSION_REVOKED');
  if (token && token.secondsSinceRotation === null) return refusal('REFRESH_TOKEN_EXPIRED');
  return refusal('INVALID_REFRESH_TOKEN');
}
