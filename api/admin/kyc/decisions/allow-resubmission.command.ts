import { audited } from '../../../../db/administration/audit/audit.writes';
import { addKycEvent } from '../../../../db/kyc/history/history.writes';
import {
  isSuspectedOfFraud,
  liftResubmissionLimits,
  lockVerificationAndUser,
} from '../../../../db/kyc/review/resubmission.writes';
import type { Verification } from '../../../../db/kyc/verification/verification.reads';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { businessRefusal } from '../../../../workflows/errors';
import type { Actor } from '../../actor';
import { noSuchVerification, ownVerification } from '../verification';

/**
 * Gives a user all tries again and lifts a final rejection. Where there is nothing to lift it changes and records nothing.
 * Refuses with KYC_NOT_FOUND, FORBIDDEN for an own one, and VALIDATION_ERROR (ACCOUNT_ERASED, RESUBMISSION_NOT_ALLOWED).
 */
export const allowResubmissionOf = (
  db: Db,
  kycId: string,
  by: Actor,
): Promise<Pick<Verification, 'id' | 'status' | 'canResubmit'>> =>
  inTransaction(db, async (tx) => {
    const locked = await lockVerificationAndUser(tx, kycId);
    if (!locked) throw noSuchVerification();
    const { user, verification } = locked;
    if (user.id === by.actorId) throw ownVerification();
    if (user.erasedAt !== null)
      throw businessRefusal('ACCOUNT_ERASED', 'An erased account cannot be changed.');
    if (await isSuspectedOfFraud(tx, user.id))
      throw businessRefusal(
        'RESUBMISSION_NOT_ALLOWED',
        'After a suspicion of fraud nobody can let the user submit again.',
      );
    const { id, status, canResubmit } = verification;
    const at = new Date();
    if (await liftResubmissionLimits(tx, user.id, at)) {
      const event = {
        kycId,
        action: 'RESUBMISSION_ALLOWED',
        performedBy: by.actorId,
        note: null,
        at,
      } as const;
      await addKycEvent(tx, event);
      await audited(
        tx,
        { ...by, at },
        'kyc.allow-resubmission',
        kycId,
        { canResubmit },
        { canResubmit: true },
      );
    }
    return { id, status, canResubmit: true };
  });
