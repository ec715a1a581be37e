import type { Attributes } from 'sequelize';
import { execute, firstRow, type Db, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { LoginChallenge as LoginChallengeModel } from './login-challenge.model';

const LIFETIME = `interval '5 minutes'`;
const MOST_TRIES = 5;

/** A sign-in that waits for its second factor. */
export type LoginChallenge = Pick<
  Attributes<LoginChallengeModel>,
  'tokenHash' | 'userId' | 'deviceFingerprint'
>;

/** Stores a sign-in that waits for its second factor, for five minutes. */
export async function openLoginChallenge(tx: Tx, challenge: LoginChallenge): Promise<void> {
  await execute(
    tx,
    `INSERT INTO login_challenges (token_hash, user_id, device_fingerprint, created_at, expires_at)
     VALUES ($1, $2, $3, now(), now() + ${LIFETIME})`,
    [challenge.tokenHash, challenge.userId, challenge.deviceFingerprint],
  );
}

const LIVE = `used_at IS NULL AND expires_at > clock_timestamp() AND tries < ${MOST_TRIES}`;

/** The sign-in that a token belongs to, also one that has ended; null for an unknown token. */
export async function loginChallenge(db: Db, tokenHash: string): Promise<LoginChallenge | null> {
  return table(db, LoginChallengeModel).one(['tokenHash', 'userId', 'deviceFingerprint'], { tokenHash });
}

/** True if the sign-in still accepts a code. */
export async function isLoginChallengeLive(db: Db, tokenHash: string): Promise<boolean> {
  const live = await firstRow(db, `SELECT 1 FROM login_challenges WHERE token_hash = $1 AND ${LIVE}`, [
    tokenHash,
  ]);
  return live !== null;
}

/** The token hash of the user's newest sign-in that still accepts a code; null if there is none. */
export async function newestLoginChallenge(db: Db, userId: string): Promise<string | null> {
  const newest = await firstRow<{ tokenHash: string }>(
    db,
    `SELECT token_hash FROM login_challenges
      WHERE user_id = $1 AND ${LIVE} ORDER BY created_at DESC LIMIT 1`,
    [userId],
  );
  return newest?.tokenHash ?? null;
}

/** Counts a wrong code; five end the sign-in. */
export async function countLoginTry(tx: Tx, tokenHash: string): Promise<void> {
  await execute(tx, `UPDATE login_challenges SET tries = tries + 1 WHERE token_hash = $1 AND ${LIVE}`, [
    tokenHash,
  ]);
}

/** Uses the sign-in up. */
export async function useLoginChallenge(tx: Tx, tokenHash: string): Promise<void> {
  await execute(tx, 'UPDATE login_challenges SET used_at = now() WHERE token_hash = $1 AND used_at IS NULL', [
    tokenHash,
  ]);
}
