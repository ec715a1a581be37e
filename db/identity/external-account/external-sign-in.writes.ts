import { createHash } from 'node:crypto';
import type { Attributes } from 'sequelize';
import { execute, firstRow, type Db } from '../../sql/query';
import type { ExternalSignIn } from './external-sign-in.model';

/** The data that completes a sign-in when it returns from another provider. */
export type PendingSignIn = Pick<
  Attributes<ExternalSignIn>,
  'provider' | 'region' | 'nonce' | 'codeVerifier' | 'referralCode' | 'touchId'
>;

const hashOf = (state: string): string => createHash('sha256').update(state).digest('hex');

/** Stores a sign-in under its state until it returns or expires; expired ones are deleted here. */
export async function keepSignIn(
  db: Db,
  state: string,
  { provider, region, nonce, codeVerifier, referralCode, touchId }: PendingSignIn,
  lifetimeSeconds: number,
): Promise<void> {
  await execute(
    db,
    `WITH over AS (DELETE FROM external_sign_ins WHERE expires_at < now())
     INSERT INTO external_sign_ins
       (state_hash, provider, region, nonce, code_verifier, expires_at, referral_code, touch_id)
     VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6), $7, $8)`,
    [hashOf(state), provider, region, nonce, codeVerifier, lifetimeSeconds, referralCode, touchId],
  );
}

/** Deletes and returns the sign-in of this state and provider; null if it never began, expired or returned before. */
export async function takeSignIn(db: Db, state: string, provider: string): Promise<PendingSignIn | null> {
  return firstRow<PendingSignIn>(
    db,
    `DELETE FROM external_sign_ins WHERE state_hash = $1 AND provider = $2 AND expires_at >= now()
     RETURNING provider, region, nonce, code_verifier, referral_code, touch_id`,
    [hashOf(state), provider],
  );
}
