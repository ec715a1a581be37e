import type { Attributes } from 'sequelize';
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

/** The approved verification of a user, whose level is in force; or null. */
export const approvedVerification = (db: Db, userId: string): Promise<Verification | null> =>
  table(db, KycVerification).one(VERIFICATION_COLUMNS, { userId, status: 'APPROVED' });

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
