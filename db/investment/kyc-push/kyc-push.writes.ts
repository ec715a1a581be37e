import { execute, type Tx } from '../../sql/query';
import type { ChangedStanding } from './kyc-push.reads';

/**
 * Marks what a provider has accepted; returns the number of users. One who was erased meanwhile is left out: their row is
 * locked first, as by the erasure.
 */
export const markAccepted = (
  tx: Tx,
  providerCode: string,
  accepted: readonly Pick<ChangedStanding, 'userId' | 'fingerprint'>[],
  at: Date,
): Promise<number> =>
  execute(
    tx,
    `WITH living AS (SELECT id FROM users WHERE id = ANY ($2::uuid[]) AND erased_at IS NULL ORDER BY id FOR SHARE)
     INSERT INTO kyc_pushes (provider_code, user_id, fingerprint, accepted_at)
       SELECT $1, living.id, told.fingerprint, $4
         FROM unnest($2::uuid[], $3::text[]) AS told (user_id, fingerprint) JOIN living ON living.id = told.user_id
       ON CONFLICT (provider_code, user_id) DO UPDATE
         SET fingerprint = excluded.fingerprint, accepted_at = excluded.accepted_at, refused_fingerprint = NULL,
           refused_at = NULL`,
    [providerCode, accepted.map(({ userId }) => userId), accepted.map(({ fingerprint }) => fingerprint), at],
  );

/** Marks what a provider has refused of one user, so that it comes behind all others; not of one who was erased meanwhile. */
export const markRefused = (
  tx: Tx,
  providerCode: string,
  { userId, fingerprint }: Pick<ChangedStanding, 'userId' | 'fingerprint'>,
  at: Date,
): Promise<number> =>
  execute(
    tx,
    `WITH living AS (SELECT id FROM users WHERE id = $2 AND erased_at IS NULL FOR SHARE)
     INSERT INTO kyc_pushes (provider_code, user_id, refused_fingerprint, refused_at)
       SELECT $1, living.id, $3, $4 FROM living
       ON CONFLICT (provider_code, user_id) DO UPDATE
         SET refused_fingerprint = excluded.refused_fingerprint, refused_at = excluded.refused_at`,
    [providerCode, userId, fingerprint, at],
  );
