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

/** The place of the level of an approved verification `v`; a higher level has a higher one. */
export const LEVEL_RANK = `array_position(ARRAY['BASIC', 'STANDARD', 'ENHANCED'], v.level)`;

const APPROVED = `FROM kyc_verifications v WHERE v.user_id = u.id AND v.status = 'APPROVED'`;

/** Selects columns of `v`, the approval that gives the user `u` their level now (`approvalInForce`); no row if there is none. */
export const selectInForce = (columns: string): string =>
  `SELECT ${columns} ${APPROVED} AND (v.expires_at IS NULL OR v.expires_at > now())
    ORDER BY ${LEVEL_RANK} DESC LIMIT 1`;

/**
 * The level of the user `u` now: as soon as the time of their approval is over that of the next one, or BASIC, also before
 * `kyc-expiry` has run. Only for a level above BASIC it looks at the approvals.
 */
export const LEVEL_IN_FORCE = `CASE WHEN u.kyc_level IN ('STANDARD', 'ENHANCED') AND EXISTS (
  SELECT 1 ${APPROVED} AND v.level = u.kyc_level AND v.expires_at <= now())
  THEN coalesce((${selectInForce('v.level')}), 'BASIC') ELSE u.kyc_level END`;

/** The status of the user `u` now: NOT_STARTED as soon as the time of all their approvals is over. */
export const STATUS_IN_FORCE = `CASE WHEN u.kyc_status = 'APPROVED' AND EXISTS (SELECT 1 ${APPROVED} AND v.expires_at <= now())
  AND NOT EXISTS (${selectInForce('1')}) THEN 'NOT_STARTED' ELSE u.kyc_status END`;

/** The status of a locked user whose latest verification came to nothing: that of the approval in force, if there is one. */
export const statusAfterEnd = async (tx: Tx, userId: string): Promise<KycStatus> =>
  (await approvedVerification(tx, userId)) === null ? 'NOT_STARTED' : 'APPROVED';
