import { createHash } from 'node:crypto';
import { execute, firstRow, type Db } from '../../sql/query';

/** What is needed when a sign-in comes back from another provider. */
export interface PendingSignIn {
  provider: string;
  /** Whose region's account is meant, as it was when the sign-in began. */
  region: string;
  nonce: string;
  /** The secret of PKCE (RFC 7636). */
  codeVerifier: string;
}

const hashOf = (state: string): string => createHash('sha256').update(state).digest('hex');

/** Remembers a sign-in under its state until it comes back or its time is over; what is over is forgotten here. */
export async function keepSignIn(
  db: Db,
  state: string,
  { provider, region, nonce, codeVerifier }: PendingSignIn,
  lifetimeSeconds: number,
): Promise<void> {
  await execute(
    db,
    `WITH over AS (DELETE FROM external_sign_ins WHERE expires_at < now())
     INSERT INTO external_sign_ins (state_hash, provider, region, nonce, code_verifier, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
    [hashOf(state), provider, region, nonce, codeVerifier, lifetimeSeconds],
  );
}

/** Takes the sign-in of this state and provider; null for one that never began, is over, or has come back before. */
export async function takeSignIn(db: Db, state: string, provider: string): Promise<PendingSignIn | null> {
  return firstRow<PendingSignIn>(
    db,
    `DELETE FROM external_sign_ins WHERE state_hash = $1 AND provider = $2 AND expires_at >= now()
     RETURNING provider, region, nonce, code_verifier`,
    [hashOf(state), provider],
  );
}
