import type { Invariant } from './invariant';

/** Rules of sessions and tokens. */
export const identityInvariants: readonly Invariant[] = [
  {
    id: 'sessions.are-of-active-users',
    says: 'Only ACTIVE users have live sessions.',
    sql: `SELECT s.id AS entity, format('user %s is %s', u.id, u.status) AS detail
      FROM sessions s JOIN users u ON u.id = s.user_id
      WHERE u.status <> 'ACTIVE' AND s.revoked_at IS NULL AND s.expires_at > now()`,
  },
  {
    id: 'sessions.have-one-live-token',
    says: 'A session has at most one refresh token that was not replaced.',
    sql: `SELECT session_id AS entity, count(*) || ' live tokens' AS detail
      FROM refresh_tokens WHERE rotated_at IS NULL GROUP BY session_id HAVING count(*) > 1`,
  },
  {
    id: 'mailed-tokens.one-is-live',
    says: 'At most one of the tokens mailed to a person for one purpose is valid.',
    sql: `SELECT user_id AS entity, format('%s live tokens to %s', count(*), purpose) AS detail
      FROM mailed_tokens WHERE used_at IS NULL AND superseded_at IS NULL
      GROUP BY user_id, purpose HAVING count(*) > 1`,
  },
];
