import type { Attributes } from 'sequelize';
import { execute, firstRow, type Db, type Tx } from '../../sql/query';
import type { RefreshToken } from './refresh-token.model';
import type { Session } from './session.model';

/** The session that a refresh token continues. */
export type RefreshedSession = Pick<Attributes<RefreshToken>, 'sessionId'> &
  Pick<Attributes<Session>, 'userId'>;

/**
 * Marks the current refresh token of a live session as replaced; null for any other token. Exactly one of several
 * concurrent callers with the same token succeeds.
 */
export function takeRefreshToken(tx: Tx, tokenHash: string): Promise<RefreshedSession | null> {
  return firstRow<RefreshedSession>(
    tx,
    `UPDATE refresh_tokens t SET rotated_at = clock_timestamp()
       FROM sessions s JOIN users u ON u.id = s.user_id
      WHERE t.token_hash = $1 AND t.rotated_at IS NULL AND t.expires_at > now()
        AND s.id = t.session_id AND s.revoked_at IS NULL AND s.expires_at > now() AND u.status = 'ACTIVE'
      RETURNING s.id AS session_id, s.user_id`,
    [tokenHash],
  );
}

/** Prolongs a session and gives it its next refresh token. */
export async function prolongSession(
  tx: Tx,
  sessionId: string,
  nextTokenHash: string,
  lifetimeSeconds: number,
): Promise<void> {
  await execute(
    tx,
    `WITH prolonged AS (
       UPDATE sessions SET last_active_at = at, expires_at = at + make_interval(secs => $2)
         FROM clock_timestamp() AS at WHERE id = $1
       RETURNING id, last_active_at, expires_at)
     INSERT INTO refresh_tokens (token_hash, session_id, created_at, expires_at)
     SELECT $3, id, last_active_at, expires_at FROM prolonged`,
    [sessionId, lifetimeSeconds, nextTokenHash],
  );
}

/** A refresh token that `takeRefreshToken` did not accept. */
export interface RejectedToken extends RefreshedSession {
  /** The session was ended, or its user may not act. */
  isRevoked: boolean;
  /** Seconds since the token was replaced; null if it is the current one. */
  secondsSinceRotation: number | null;
}

/** The state of a refresh token, for the reason why it was not accepted; null if it is unknown. */
export function rejectedToken(db: Db, tokenHash: string): Promise<RejectedToken | null> {
  return firstRow<RejectedToken>(
    db,
    `SELECT s.id AS session_id, s.user_id, (s.revoked_at IS NOT NULL OR u.status <> 'ACTIVE') AS is_revoked,
            extract(epoch FROM clock_timestamp() - t.rotated_at)::float8 AS seconds_since_rotation
       FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id JOIN users u ON u.id = s.user_id
      WHERE t.token_hash = $1`,
    [tokenHash],
  );
}
