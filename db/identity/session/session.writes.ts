import { execute, firstRow, type Db, type Tx } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';
import { lockUserForSignIn, type LockedUser } from '../user/user-lock.writes';

export interface NewSession {
  id: string;
  userId: string;
  userAgent: string | null;
  ipAddress: string;
  deviceFingerprint: string | null;
  /** Where the address seems to be; null where that cannot be told. */
  place: { country: string | null; city: string | null } | null;
  refreshTokenHash: string;
  /** How long the session lives unless it is refreshed, in seconds. */
  lifetimeSeconds: number;
  /** Most sessions a user may have; beyond it the oldest end. */
  sessionLimit: number;
}

/**
 * Whether who signs in has shown all that the account asks for, by what stands there now: it is asked with the user's
 * row locked. What it writes stays also when it says no, such as a wrong code that was counted.
 */
export type SignInProof = (tx: Tx, user: LockedUser) => Promise<boolean>;

/**
 * Opens a session with its first refresh token and notes the login; false, with no session, when the user is not
 * ACTIVE any more or the proof says no. Sign-ins of one user wait for each other here, so that the limit holds also
 * when they race, and none slips past a change of password or second factor.
 */
export async function openSession(
  db: Db,
  session: NewSession,
  proof: SignInProof = () => Promise.resolve(true),
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const user = await lockUserForSignIn(tx, session.userId);
    if (user?.status !== 'ACTIVE' || !(await proof(tx, user))) return false;
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

/** Notes that the user of a live session showed who they are again; answers when. Null when the session has ended. */
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

/** Ends one session; answers how many were still live (0 or 1). */
export async function endSession(db: Db, sessionId: string, reason: 'LOGOUT' | 'REUSE'): Promise<number> {
  return execute(
    db,
    `UPDATE sessions SET revoked_at = now(), revoke_reason = $2
      WHERE id = $1 AND revoked_at IS NULL AND expires_at > now()`,
    [sessionId, reason],
  );
}

/** Ends a live session of this user; false when there is none of that id. */
export async function revokeSession(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const ended = await execute(
    db,
    `UPDATE sessions SET revoked_at = clock_timestamp(), revoke_reason = 'REVOKED'
      WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > now()`,
    [sessionId, userId],
  );
  return ended > 0;
}

/** Ends every live session of a user who signs out everywhere; answers how many there were. */
export async function endAllSessions(db: Db, userId: string): Promise<number> {
  return endOtherSessions(db, userId, null, 'LOGOUT');
}

/**
 * Ends every live session of a user but the one named (null: every one), and every sign-in that waits for its second
 * factor; answers how many sessions there were. Call it in the transaction that changes the user's row, after that
 * change: a sign-in waits for it, and so slips in neither before nor after.
 */
export async function endOtherSessions(
  db: Db,
  userId: string,
  exceptSessionId: string | null,
  reason: 'LOGOUT' | 'PASSWORD' | 'TWO_FACTOR' | 'ADMIN' | 'DELETION',
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
