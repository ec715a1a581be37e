import type { Attributes } from 'sequelize';
import { approvalInForce, highestApproval, type ReviewedLevel } from '../../../workflows/kyc/kyc.rules';
import { firstRow, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { KycVerification } from './kyc-verification.model';

/** A verification, all of it. */
export type Verification = Attributes<KycVerification>;

export const VERIFICATION_COLUMNS = [
  'id',
  'userId',
  'status',
  'requestedLevel',
  'level',
  'personalInfo',
  'documentNumberMac',
  'documentNumberKey',
  'priority',
  'submissionId',
  'firstSubmittedAt',
  'submittedAt',
  'dueAt',
  'escalatedAt',
  'remindedAt',
  'assignedTo',
  'claimedAt',
  'claimLapsesAt',
  'requestedMessage',
  'requestedDocuments',
  'decidedAt',
  'decidedBy',
  'rejectionReason',
  'canResubmit',
  'isFraud',
  'expiresAt',
  'noticeSentAt',
  'endedAt',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof Verification)[];

/** The verification of this id, or null. */
export const verificationOf = (db: Db, id: string): Promise<Verification | null> =>
  table(db, KycVerification).one(VERIFICATION_COLUMNS, { id });

/** The verification that a user began last, or null. Its status is the user's. */
export const latestVerification = (db: Db, userId: string): Promise<Verification | null> =>
  table(db, KycVerification).one(
    VERIFICATION_COLUMNS,
    { userId },
    {
      order: [
        ['createdAt', 'DESC'],
        ['id', 'DESC'],
      ],
    },
  );

/** The verification that a user began before this one, their latest; null if it is their first. */
export async function previousVerification(
  db: Db,
  { id, userId }: Pick<Verification, 'id' | 'userId'>,
): Promise<Verification | null> {
  const latest = await table(db, KycVerification).all(
    VERIFICATION_COLUMNS,
    { userId },
    {
      order: [
        ['createdAt', 'DESC'],
        ['id', 'DESC'],
      ],
      limit: 2,
    },
  );
  return latest.find((verification) => verification.id !== id) ?? null;
}

/** An approved verification. */
export type Approval = Verification & { level: ReviewedLevel };

/** The approved verifications of a user, at most one of each level, also those whose time is over since the last daily run. */
export const approvalsOf = async (db: Db, userId: string): Promise<Approval[]> =>
  (await table(db, KycVerification).all(VERIFICATION_COLUMNS, { userId, status: 'APPROVED' })) as Approval[];

/**
 * The approved verification that gives a user their level: the highest whose time is not over, or, until the daily run, the
 * highest of those whose time is; null if there is none.
 */
export async function approvedVerification(db: Db, userId: string): Promise<Approval | null> {
  const approvals = await approvalsOf(db, userId);
  return approvalInForce(approvals, new Date()) ?? highestApproval(approvals);
}

/** The verification that a user submitted last, or null. */
export const lastSubmittedVerification = (
  db: Db,
  userId: string,
): Promise<Pick<Verification, 'id' | 'status' | 'submittedAt' | 'rejectionReason'> | null> =>
  firstRow(
    db,
    `SELECT id, status, submitted_at, rejection_reason FROM kyc_verifications
      WHERE user_id = $1 AND submitted_at IS NOT NULL ORDER BY submitted_at DESC, id DESC LIMIT 1`,
    [userId],
  );
