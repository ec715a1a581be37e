import { addKycEvent } from '../../../db/kyc/history/history.writes';
import { setUserStanding } from '../../../db/kyc/standing/user-standing.transitions';
import { lockUserStanding } from '../../../db/kyc/standing/user-standing.writes';
import type { UserStanding } from '../../../db/kyc/standing/user-standing.reads';
import type { Verification } from '../../../db/kyc/verification/verification.reads';
import { lockVerification, moveVerification } from '../../../db/kyc/verification/verification.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Tx } from '../../../db/sql/query';
import { toMinor } from '../../../workflows/commerce/money.rules';
import type { KycAction, KycLevel, KycStatus } from '../../../workflows/kyc/kyc.rules';
import { addBusinessHours } from '../../../workflows/kyc/review/business-hours.rules';
import type { KycReviewState } from '../../../workflows/kyc/review/kyc-review.contract';

/** A verification with its user, both locked. */
export interface Reviewed {
  user: UserStanding;
  verification: Verification;
}

/** The numbers of a review. */
export type ReviewPolicy = Pick<
  Policy,
  | 'kycBusinessDayStart'
  | 'kycBusinessDayEnd'
  | 'kycNormalHours'
  | 'kycHighHours'
  | 'kycClaimHours'
  | 'kycLargeInvestment'
  | 'kycInfoReminderDays'
  | 'kycInfoLastReminderDays'
  | 'kycInfoDays'
  | 'kycResubmissionHours'
  | 'kycTries'
  | 'kycFilesPerTry'
>;

/** Locks the user, then the verification. Missing ones are our own mistake. */
export async function lockReviewed(
  tx: Tx,
  { kycId, userId }: { kycId: string; userId: string },
): Promise<Reviewed> {
  const user = await lockUserStanding(tx, userId);
  const verification = await lockVerification(tx, kycId);
  if (!user || verification?.userId !== userId)
    throw new Error(`There is no verification ${kycId} of ${userId}.`);
  return { user, verification };
}

/** The columns of a verification that nobody has claimed. */
export const UNCLAIMED = { assignedTo: null, claimedAt: null, claimLapsesAt: null } as const;

/** The state of a verification as its process follows it: a claim that lapses is due as well. */
export function stateOf({
  status,
  dueAt,
  claimLapsesAt,
}: Pick<Verification, 'status' | 'dueAt' | 'claimLapsesAt'>): KycReviewState {
  const next = dueAt !== null && claimLapsesAt !== null && claimLapsesAt < dueAt ? claimLapsesAt : dueAt;
  return { status, dueAt: next?.toISOString() ?? null };
}

/** A change of a verification: its columns, what its user shows from now on, and the event of its history. */
export interface Change {
  columns: Partial<Omit<Verification, 'id' | 'userId' | 'createdAt'>>;
  user?: { kycStatus?: KycStatus; kycLevel?: KycLevel };
  event: { id?: string; action: KycAction; performedBy: string | null; note: string | null };
}

/** Carries a change of a locked verification out; returns the new state. */
export async function change(
  tx: Tx,
  { user, verification }: Reviewed,
  { columns, user: standing, event }: Change,
  at: Date,
): Promise<KycReviewState> {
  const { id, status: from } = verification;
  await moveVerification(tx, { id, from }, { ...columns, updatedAt: at });
  if (standing) await setUserStanding(tx, user.id, standing, at);
  await addKycEvent(tx, { kycId: id, ...event, at });
  return stateOf({ ...verification, ...columns });
}

/** True of an investment for which a review is urgent. */
export const isLargeInvestment = (
  { amountMinor, currency }: { amountMinor: number; currency: string },
  { kycLargeInvestment }: Pick<ReviewPolicy, 'kycLargeInvestment'>,
): boolean => amountMinor > toMinor(kycLargeInvestment, currency);

const afterBusinessHours = (from: Date, hours: number, policy: ReviewPolicy): Date =>
  addBusinessHours(from, hours, {
    startHour: policy.kycBusinessDayStart,
    endHour: policy.kycBusinessDayEnd,
  });

/** The time when a review of this priority that begins now is due. */
export const reviewDue = (from: Date, priority: Verification['priority'], policy: ReviewPolicy): Date =>
  afterBusinessHours(from, priority === 'HIGH' ? policy.kycHighHours : policy.kycNormalHours, policy);

/** The time when a claim that begins now lapses. */
export const claimLapse = (from: Date, policy: ReviewPolicy): Date =>
  afterBusinessHours(from, policy.kycClaimHours, policy);
