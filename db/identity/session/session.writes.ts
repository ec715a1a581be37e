import type { Attributes } from 'sequelize';
import { execute, firstRow, type Db, type Tx } from '../../sql/query';
import type { Session } from './session.model';

type RevokeReason = NonNullable<Attributes<Session>['revokeReason']>;

export type NewSession = Pick<
  Attributes<Session>,
  'id' | 'userId' | 'userAgent' | 'ipAddress' | 'deviceFingerprint'
> & {
  /** The approximate place of the address; null where it is unknown. */
  place: { country: string | null; city: string | null } | null;
  refreshTokenHash: string;
  /** Lifetime of the session unless it is refreshed. */
  lifetimeSeconds: number;
};

/** Adds a session with its first refresh token and records the login. The user's row is locked. */
export async function addSession(tx: Tx, session: NewSession): Promise<void> {
  await execute(tx, 'UPDATE users SET last_login_at = clock_timestamp() WHERE id = $1', [session.userId]);
  await execute(
    tx,
    `WITH opened AS (
       INSERT INTO sessions
         (id, user_id, user_agent, ip_address, device_fingerprint, country, city,
          created_at, last_active_at, expires_at)
       SELECT $1, $2, $3, $4, $5, $8, $9, at, at, at + make_interval(secs => $6) FROM clock_timestamp() AS at
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
      session.place?.country ?? null,
      session.place?.city ?? null,
    ],
  );
}

/** Ends the oldest live sessions of a user beyond `limit`. The user's row is locked. */
export async function endSessionsBeyond(tx: Tx, userId: string, limit: number): Promise<void> {
  await execute(
    tx,
    `UPDATE sessions SET revoked_at = now(), revoke_reason = 'TOO_MANY'
      WHERE id IN (SELECT id FROM sessions
                    WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > now()
                    ORDER BY created_at DESC, id DESC OFFSET $2)`,
    [userId, limit],
  );
}

/** Records that the user of a live session proved their identity again; returns when. Null if the session has ended. */
export async function confirmSession(tx: Tx, sessionId: string): Promise<Date | null> {
  const session = await firstRow<{ confirmedAt: Date }>(
    tx,
    `UPDATE sessions SET confirmed_at = clock_timestamp()
      WHERE id = $1 AND revoked_at IS NULL AND expires_at > clock_timestamp()
      RETURNING confirmed_at`,
    [sessionId],
  );
  return session?.confirmedAt ?? null;
}

/** Ends one session; returns how many live ones that were (0 or 1). */
export async function endSession(db: Db, sessionId: string, reason: RevokeReason): Promise<number> {
  return execute(
    db,
    `UPDATE sessions SET revoked_at = now(), revoke_reason = $2
      WHERE id = $1 AND revoked_at IS NULL AND expires_at > now()`,
    [sessionId, reason],
  );
}

/** Ends a live session of this user; false if there is none with that id. */
export async function revokeSession(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const ended = await execute(
    db,
    `UPDATE sessions SET revoked_at = clock_timestamp(), revoke_reason = 'REVOKED'
      WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > now()`,
    [sessionId, userId],
  );
  return ended > 0;
}

/** Ends every live session of a user who logs out everywhere; returns their number. */
export async function endAllSessions(db: Db, userId: string): Promise<number> {
  return endOtherSessions(db, userId, null, 'LOGOUT');
}

/**
 * Ends every live session of a user except one (null: all), and every sign-in that waits for its second factor; returns
 * the number of sessions. Call it in the transaction that changes the user's row, after that change: a sign-in waits
 * for that row, so none can slip in before or after.
 */
export async function endOtherSessions(
  db: Db,
  userId: string,
  exceptSessionId: string | null,
  reason: RevokeReason,
): Promise<number> {
  await execute(
    db,
    'UPDATE login_challenges SET used_at = clock_timestamp() WHERE user_id = $1 AND used_at IS NULL',
    [userId],
  );
  return execute(
    db,
    `UPDATE sessions SET revoked_at = clock_timestamp(), revoke_reason = $3
      WHERE user_id = $1 AND id IS DISTINCT FROM $2::uuid AND revoked_at IS NULL AND expires_at > now()`,
    [userId, exceptSessionId, reason],
  );
}
