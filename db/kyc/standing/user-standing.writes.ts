import { User } from '../../identity/user/user.model';
import type { KycLevel } from '../../../workflows/kyc/kyc.rules';
import { firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { LEVEL_IN_FORCE, STANDING_COLUMNS, type UserStanding } from './user-standing.reads';

/**
 * The user, locked until the transaction ends; null if the account is gone. Every change of a verification takes this lock
 * first, so that those of one user come one after another, and what their level permits is decided once.
 */
export const lockUserStanding = (tx: Tx, userId: string): Promise<UserStanding | null> =>
  table(tx, User).one(STANDING_COLUMNS, { id: userId }, { lock: 'NO_KEY_UPDATE' });

/**
 * The level of a user now, locked as `lockUserStanding` does; null if the account is gone. A statement of its
 * own reads it, which sees what was decided while this one waited.
 */
export async function lockLevel(tx: Tx, userId: string): Promise<KycLevel | null> {
  if ((await lockUserStanding(tx, userId)) === null) return null;
  const sql = `SELECT ${LEVEL_IN_FORCE} AS level FROM users u WHERE u.id = $1`;
  return (await firstRow<{ level: KycLevel }>(tx, sql, [userId]))?.level ?? null;
}

/** Says of a locked user that a verification has begun. The level stays. */
export async function markVerificationStarted(tx: Tx, userId: string, at: Date): Promise<void> {
  await table(tx, User).update({ kycStatus: 'DOCUMENTS_PENDING', updatedAt: at }, { id: userId });
}
