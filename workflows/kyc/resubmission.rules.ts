import { HOUR_MS } from '../kit/values/durations.rules';

/** The part of an earlier verification on which the next submission depends. */
export interface EarlierVerification {
  status: string;
  submittedAt: Date | null;
  rejectionReason: string | null;
}

/** The earliest time of the next submission, some hours after one that a reviewer rejected; null: at any time. */
export const nextSubmissionAt = (
  { status, submittedAt, rejectionReason }: EarlierVerification,
  resubmissionHours: number,
): Date | null =>
  status === 'REJECTED' && rejectionReason !== 'INFO_NOT_PROVIDED' && submittedAt !== null
    ? new Date(submittedAt.getTime() + resubmissionHours * HOUR_MS)
    : null;
