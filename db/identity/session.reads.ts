import { firstRow, type Db } from '../sql';

/** A session that may act now, with what its user may do now. */
export interface LiveSession {
  sessionId: string;
  userId: string;
  email: string;
  status: string;
  roles: string[];
}

/**
 * The session if it is neither revoked nor expired and its user is ACTIVE, else null. Asked on every request, so that
 * an ended session, a suspension or a changed role acts at once, whatever the access token still says.
 */
export async function liveSession(db: Db, sessionId: string): Promise<LiveSession | null> {
  return firstRow<LiveSession>(
    db,
    `SELECT s.id AS "sessionId", u.id AS "userId", u.email, u.status, u.roles
       FROM sessions s JOIN users u ON u.id = s.user_id
      WHERE s.id = $1 AND s.revoked_at IS NULL AND s.expires_at > now() AND u.status = 'ACTIVE'`,
    [sessionId],
  );
}

/** The live session of this user that the refresh token belongs or belonged to, else null. */
export async function sessionOfRefreshToken(
  db: Db,
  userId: string,
  tokenHash: string,
): Promise<string | null> {
  const session = await firstRow<{ id: string }>(
    db,
    `SELECT s.id
       FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id
      WHERE t.token_hash = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.expires_at > now()`,
    [tokenHash, userId],
  );
  return session?.id ?? null;
}
