import { refusal } from '../../../workflows/errors';
import type { KycReviewState } from '../../../workflows/kyc/review/kyc-review.contract';
import type { DbDeps } from '../../steps';
import { decide, requireHolder, type Decision } from './decisions/decide';
import { UNCLAIMED } from './reviewed-verification';

/** Puts a claimed verification back into the queue. Refused: NOT_REVIEWABLE, ALREADY_CLAIMED. */
export const releaseVerification = ({ db }: DbDeps, decision: Decision): Promise<KycReviewState> =>
  decide(db, decision, async (tx, reviewed) => {
    if (reviewed.verification.assignedTo === null)
      throw refusal('NOT_REVIEWABLE', 'Nobody has claimed this verification.');
    await requireHolder(tx, reviewed);
    return {
      columns: { status: 'SUBMITTED', ...UNCLAIMED },
      action: 'RELEASED',
      audited: 'kyc.release',
    };
  });
