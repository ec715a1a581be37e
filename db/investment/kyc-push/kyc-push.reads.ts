import type { Attributes } from 'sequelize';
import type { KycLevel, KycStatus } from '../../../workflows/kyc/kyc.rules';
import { LEVEL_IN_FORCE, selectInForce } from '../../kyc/standing/user-standing.reads';
import { rows, type Db } from '../../sql/query';
import type { Provider } from '../provider/provider.model';
import type { KycPush } from './kyc-push.model';

/** A user's verification as a provider is told it, its fingerprint, and when the provider refused the same last. */
export interface ChangedStanding extends Pick<Attributes<KycPush>, 'userId' | 'refusedAt'> {
  fingerprint: string;
  email: string;
  kycStatus: KycStatus;
  kycLevel: KycLevel;
  /** Of the approval in force; null without one. */
  approvedAt: Date | null;
  expiresAt: Date | null;
}

/** Active providers that have an API, by code, behind a code. */
export async function providersToSync(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const found = await rows<Pick<Attributes<Provider>, 'code'>>(
    db,
    `SELECT code FROM investment_providers WHERE is_active AND api_base IS NOT NULL AND code > $1 ORDER BY code LIMIT $2`,
    [after, limit],
  );
  return found.map(({ code }) => code);
}

/** Users who have money with the provider, by id, behind a user; null: from the first one. */
export async function usersOfProvider(
  db: Db,
  code: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  const found = await rows<{ userId: string }>(
    db,
    `SELECT DISTINCT user_id FROM participations
      WHERE provider_code = $1 AND status = 'ACTIVE'
        AND user_id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
      ORDER BY user_id LIMIT $3`,
    [code, after, limit],
  );
  return found.map(({ userId }) => userId);
}

/** The verification of a user `u` with an approval `a` in force, or none, as `kyc-expiry` leaves it when a time is over. */
const STANDING = `u.id AS user_id, u.email, ${LEVEL_IN_FORCE} AS kyc_level, a.decided_at AS approved_at, a.expires_at,
  CASE WHEN u.kyc_status = 'APPROVED' AND a.id IS NULL THEN 'NOT_STARTED' ELSE u.kyc_status END AS kyc_status`;

/**
 * Of these users, those whose verification or address differs from what the provider accepted last, by id. Erased ones are
 * left out, and so are those whose state it has refused since `refusedBefore`.
 */
export const changedStandings = (
  db: Db,
  code: string,
  userIds: readonly string[],
  { limit, refusedBefore }: { limit: number; refusedBefore: Date },
): Promise<ChangedStanding[]> =>
  rows(
    db,
    `SELECT s.*, f.fingerprint, CASE WHEN k.refused_fingerprint = f.fingerprint THEN k.refused_at END AS refused_at
       FROM (SELECT ${STANDING} FROM users u
               LEFT JOIN LATERAL (${selectInForce('v.id, v.decided_at, v.expires_at')}) AS a ON true
              WHERE u.id = ANY ($2::uuid[]) AND u.erased_at IS NULL) AS s
      CROSS JOIN LATERAL (SELECT encode(sha256(convert_to(jsonb_build_array($1::text, s.user_id, s.email, s.kyc_status,
        s.kyc_level, extract(epoch FROM s.approved_at), extract(epoch FROM s.expires_at))::text, 'UTF8')), 'hex')
          AS fingerprint) AS f
       LEFT JOIN kyc_pushes k ON k.provider_code = $1 AND k.user_id = s.user_id
      WHERE k.fingerprint IS DISTINCT FROM f.fingerprint
        AND (k.refused_fingerprint = f.fingerprint AND k.refused_at >= $4) IS NOT TRUE
      ORDER BY s.user_id LIMIT $3`,
    [code, userIds, limit, refusedBefore],
  );
