import { execute, firstRow, type Db } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';
import { endSession } from './session.writes';

/** A client that races itself presents a token twice within moments; after these seconds it is taken for a thief. */
const REUSE_GRACE_SECONDS = 20;

export type Rotation =
  | { outcome: 'rotated'; sessionId: string; userId: string }
  | { outcome: 'reused'; sessionId: string; userId: string }
  | { outcome: 'unknown' | 'just rotated' | 'expired' | 'revoked' };

/**
 * Puts a new refresh token in the place of the one presented and prolongs its session. Of any number of callers with
 * the same token exactly one is answered 'rotated'. A token used again later ends its session: one of the two who hold
 * it has stolen it, and nobody can tell which.
 */
export async function rotateRefreshToken(
  db: Db,
  presentedHash: string,
  nextHash: string,
  lifetimeSeconds: number,
): Promise<Rotation> {
  return inTransaction(db, async (tx) => {
    const taken = await firstRow<{ sessionId: string; userId: string }>(
      tx,
      `UPDATE refresh_tokens t SET rotated_at = clock_timestamp()
         FROM sessions s JOIN users u ON u.id = s.user_id
        WHERE t.token_hash = $1 AND t.rotated_at IS NULL AND t.expires_at > now()
          AND s.id = t.session_id AND s.revoked_at IS NULL AND s.expires_at > now() AND u.status = 'ACTIVE'
        RETURNING s.id AS session_id, s.user_id`,
      [presentedHash],
    );
    if (!taken) return refusedRotation(tx, presentedHash);
    await execute(
      tx,
      `WITH prolonged AS (
         UPDATE sessions SET last_active_at = at, expires_at = at + make_interval(secs => $2)
           FROM clock_timestamp() AS at WHERE id = $1
         RETURNING id, last_active_at, expires_at)
       INSERT INTO refresh_tokens (token_hash, session_id, created_at, expires_at)
       SELECT $3, id, last_active_at, expires_at FROM prolonged`,
      [taken.sessionId, lifetimeSeconds, nextHash],
    );
    return { outcome: 'rotated', ...taken };
  });
}

interface Presented {
  sessionId: string;
  userId: string;
  /** The session was ended, or its user may not act. */
  over: boolean;
  expired: boolean;
  /** How long ago the token was replaced; null while it is the live one. */
  secondsSinceRotation: number | null;
}

/** Why a token was not taken; ends its session when it comes back after its time. */
async function refusedRotation(db: Db, presentedHash: string): Promise<Rotation> {
  const presented = await firstRow<Presented>(
    db,
    `SELECT s.id AS session_id, s.user_id, (s.revoked_at IS NOT NULL OR u.status <> 'ACTIVE') AS over,
            (t.expires_at <= now() OR s.expires_at <= now()) AS expired,
            extract(epoch FROM clock_timestamp() - t.rotated_at)::float8 AS seconds_since_rotation
       FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id JOIN users u ON u.id = s.user_id
      WHERE t.token_hash = $1`,
    [presentedHash],
  );
  if (!presented) return { outcome: 'unknown' };
  if (presented.over) return { outcome: 'revoked' };
  if (presented.secondsSinceRotation === null) return { outcome: 'expired' };
  if (presented.secondsSinceRotation <= REUSE_GRACE_SECONDS) return { outcome: 'just rotated' };
  await endSession(db, presented.sessionId, 'REUSE');
  return { outcome: 'reused', sessionId: presented.sessionId, userId: presented.userId };
}
