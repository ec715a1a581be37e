import type { Db } from '../../../db/sql/query';
import type { KycReviewState } from '../../../workflows/kyc/review/kyc-review.contract';
import { decide, requireHolder, type Decision } from './decisions/decide';
import { claimLapse, type ReviewPolicy } from './reviewed-verification';

/**
 * Claims a verification for a reviewer, for some business hours, also from somebody who no longer reviews, and for a
 * SUPER_ADMIN from anybody; again by the same one before it
 * lapses, it changes nothing. Refused: ALREADY_CLAIMED.
 */
export const claimVerification = (
  { db, policy }: { db: Db; policy: ReviewPolicy },
  decision: Decision,
): Promise<KycReviewState> =>
  decide(db, decision, async (tx, reviewed) => {
    const { verification, note, at } = reviewed;
    const { assignedTo, claimLapsesAt } = verification;
    if (assignedTo === note.actorId && claimLapsesAt !== null && claimLapsesAt > at) return null;
    await requireHolder(tx, reviewed);
    return {
      columns: {
        status: 'UNDER_REVIEW',
        assignedTo: note.actorId,
        claimedAt: at,
        claimLapsesAt: claimLapse(at, policy),
      },
      action: 'CLAIMED',
      audited: 'kyc.claim',
    };
  });
