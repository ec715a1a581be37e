import type { Attributes } from 'sequelize';
import type { KycStatus } from '../../../workflows/kyc/kyc.rules';
import { User } from '../../identity/user/user.model';
import type { Db, Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { approvedVerification } from '../verification/verification.reads';

/** A user as decisions on their verification read it. */
export type UserStanding = Pick<
  Attributes<User>,
  'id' | 'email' | 'firstName' | 'status' | 'kycStatus' | 'kycLevel' | 'erasedAt'
>;

export const STANDING_COLUMNS = [
  'id',
  'email',
  'firstName',
  'status',
  'kycStatus',
  'kycLevel',
  'erasedAt',
] as const satisfies readonly (keyof UserStanding)[];

/** The user; null if the account is gone. */
export const userStanding = (db: Db, userId: string): Promise<UserStanding | null> =>
  table(db, User).one(STANDING_COLUMNS, { id: userId });

/**
 * The level of the user `u` now: BASIC as soon as the time of their approval is over, also before `kyc-expiry`
 * has run. Only for a level above BASIC it looks at the approval.
 */
export const LEVEL_IN_FORCE = `CASE WHEN u.kyc_level IN ('STANDARD', 'ENHANCED') AND EXISTS (
  SELECT 1 FROM kyc_verifications v WHERE v.user_id = u.id AND v.status = 'APPROVED' AND v.expires_at <= now())
  THEN 'BASIC' ELSE u.kyc_level END`;

/** The status of a locked user whose latest verification came to nothing: that of the approval in force, if there is one. */
export const statusAfterEnd = async (tx: Tx, userId: string): Promise<KycStatus> =>
  (await approvedVerification(tx, userId)) === null ? 'NOT_STARTED' : 'APPROVED';
