import { isReviewer } from '../../../db/kyc/standing/reviewer.reads';
import type { Db } from '../../../db/sql/query';
import type { KycReviewState } from '../../../workflows/kyc/review/kyc-review.contract';
import { alreadyClaimed, decide, type Decision } from './decisions/decide';

/**
 * Claims a verification for a reviewer, also from somebody who no longer reviews; again by the same one, it changes
 * nothing. Refused: ALREADY_CLAIMED.
 */
export const claimVerification = (db: Db, decision: Decision): Promise<KycReviewState> =>
  decide(db, decision, async (tx, { verification: { assignedTo }, note, at }) => {
    if (assignedTo === note.actorId) return null;
    if (assignedTo !== null && (await isReviewer(tx, assignedTo))) throw alreadyClaimed();
    return {
      columns: { status: 'UNDER_REVIEW', assignedTo: note.actorId, claimedAt: at },
      action: 'CLAIMED',
      audited: 'kyc.claim',
    };
  });
