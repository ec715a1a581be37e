import { execute, type Db } from '../sql';
import { inTransaction } from '../transaction';

export interface NewSession {
  id: string;
  userId: string;
  userAgent: string | null;
  ipAddress: string;
  deviceFingerprint: string | null;
  refreshTokenHash: string;
  /** How long the session lives unless it is refreshed, in seconds. */
  lifetimeSeconds: number;
  /** Most sessions a user may have; beyond it the oldest end. */
  sessionLimit: number;
}

/**
 * Opens a session with its first refresh token and notes the login; false, with nothing done, when the user is not
 * ACTIVE any more. Sign-ins of one user wait for each other here, so that the limit holds also when they race.
 */
export async function openSession(db: Db, session: NewSession): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const active = await execute(
      tx,
      `UPDATE users SET last_login_at = clock_timestamp() WHERE id = $1 AND status = 'ACTIVE'`,
      [session.userId],
    );
    if (active === 0) return false;
    await execute(
      tx,
      `WITH opened AS (
         INSERT INTO sessions
           (id, user_id, user_agent, ip_address, device_fingerprint, created_at, last_active_at, expires_at)
         SELECT $1, $2, $3, $4, $5, at, at, at + make_interval(secs => $6) FROM clock_timestamp() AS at
         RETURNING id, created_at, expires_at)
       INSERT INTO refresh_tokens (token_hash, session_id, created_at, expires_at)
       SELECT $7, id, created_at, expires_at FROM opened`,
      [
        session.id,
        session.userId,
        session.userAgent,
        session.ipAddress,
        session.deviceFingerprint,
        session.lifetimeSeconds,
        session.refreshTokenHash,
      ],
    );
    await execute(
      tx,
      `UPDATE sessions SET revoked_at = now(), revoke_reason = 'TOO_MANY'
        WHERE id IN (SELECT id FROM sessions
                      WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > now()
                      ORDER BY created_at DESC, id DESC OFFSET $2)`,
      [session.userId, session.sessionLimit],
    );
    return true;
  });
}

/** Ends one session; answers how many were still live (0 or 1). */
export async function endSession(db: Db, sessionId: string, reason: 'LOGOUT' | 'REUSE'): Promise<number> {
  return execute(
    db,
    `UPDATE sessions SET revoked_at = now(), revoke_reason = $2
      WHERE id = $1 AND revoked_at IS NULL AND expires_at > now()`,
    [sessionId, reason],
  );
}

/** Ends every live session of a user who signs out everywhere; answers how many there were. */
export async function endAllSessions(db: Db, userId: string): Promise<number> {
  return execute(
    db,
    `UPDATE sessions SET revoked_at = now(), revoke_reason = 'LOGOUT'
      WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > now()`,
    [userId],
  );
}
