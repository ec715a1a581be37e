import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import type { User } from '../user/user.model';
import type { Session } from './session.model';

/** A session that may act now, with the current roles of its user. */
export type LiveSession = Pick<Attributes<User>, 'email' | 'status' | 'roles'> & {
  sessionId: string;
  userId: string;
  /** An ADMIN or SUPER_ADMIN without TOTP: codes by e-mail or SMS prove only a mailbox or a telephone number. */
  isAdministratorWithoutTotp: boolean;
};

/**
 * The session if it is neither revoked nor expired and its user is ACTIVE, else null. Read on every request, so that an
 * ended session, a suspension or a changed role takes effect at once, before the access token expires.
 */
export async function liveSession(db: Db, sessionId: string): Promise<LiveSession | null> {
  return firstRow<LiveSession>(
    db,
    `SELECT s.id AS session_id, u.id AS user_id, u.email, u.status, u.roles,
            CASE WHEN u.roles && '{ADMIN,SUPER_ADMIN}' THEN NOT EXISTS (
              SELECT 1 FROM second_factors f WHERE f.user_id = u.id AND f.method = 'TOTP' AND f.enabled_at IS NOT NULL)
            ELSE false END AS is_administrator_without_totp
       FROM sessions s JOIN users u ON u.id = s.user_id
      WHERE s.id = $1 AND s.revoked_at IS NULL AND s.expires_at > now() AND u.status = 'ACTIVE'`,
    [sessionId],
  );
}

/**
 * True if a live session was opened, or confirmed, within `freshMinutes`. Read in a transaction that locks the user's
 * row, it stays true until that commits: a change of password or second factor, which ends sessions, waits for the row.
 */
export async function isSessionFresh(db: Db, sessionId: string, freshMinutes: number): Promise<boolean> {
  const fresh = await firstRow(
    db,
    `SELECT 1 FROM sessions
      WHERE id = $1 AND revoked_at IS NULL AND expires_at > clock_timestamp()
        AND greatest(created_at, confirmed_at) > clock_timestamp() - make_interval(mins => $2::int)`,
    [sessionId, freshMinutes],
  );
  return fresh !== null;
}

/** True if a session of this user is neither revoked nor expired. */
export async function isSessionLive(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const live = await firstRow(
    db,
    `SELECT 1 FROM sessions
      WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > clock_timestamp()`,
    [sessionId, userId],
  );
  return live !== null;
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

/** A session as its user sees it in a list. */
export type ListedSession = Omit<
  Attributes<Session>,
  'userId' | 'confirmedAt' | 'revokedAt' | 'revokeReason'
>;

/** One page of a user's live sessions, newest first; `total` counts them all. */
export async function liveSessionsOf(
  db: Db,
  userId: string,
  page: { limit: number; offset: number },
): Promise<{ total: number; sessions: ListedSession[] }> {
  const live = 'user_id = $1 AND revoked_at IS NULL AND expires_at > now()';
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM sessions WHERE ${live}`,
    [userId],
  );
  const sessions = await rows<ListedSession>(
    db,
    `SELECT id, device_fingerprint, ip_address, user_agent,
            country, city, created_at, last_active_at, expires_at
       FROM sessions WHERE ${live} ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`,
    [userId, page.limit, page.offset],
  );
  return { total: counted?.total ?? 0, sessions };
}
