import { letter } from '../../../db/administration/outbox/letter';
import { enqueueQuietMail } from '../../../db/administration/outbox/outbox.writes';
import { addKycEvent } from '../../../db/kyc/history/history.writes';
import type { DueVerification } from '../../../db/kyc/ending/expiry.reads';
import { moveVerification } from '../../../db/kyc/verification/verification.transitions';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { kycExpiringLetter } from '../../../workflows/kyc/expiry/kyc-expiry.letters';
import { approvalsOf } from '../../../db/kyc/verification/verification.reads';
import { approvalInForce, isAtLeast } from '../../../workflows/kyc/kyc.rules';
import { lockApproval } from './lock-approval';

/**
 * Tells a user that their verification ends soon, once. Returns false, and changes nothing, if they were told before, or
 * it has ended, or another one that does not end before it gives them their level, or the account is banned or erased.
 */
export const tellOfExpiry = (db: Db, { kycId, userId }: DueVerification, at: Date): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const approval = await lockApproval(tx, { kycId, userId });
    if (!approval || approval.verification.noticeSentAt || approval.user.status === 'BANNED') return false;
    const { user, verification } = approval;
    const left = approvalInForce(
      (await approvalsOf(tx, userId)).filter(({ id }) => id !== kycId),
      verification.expiresAt,
    );
    const levelAfter = left?.level ?? 'BASIC';
    if (isAtLeast(levelAfter, verification.level)) return false;
    await moveVerification(tx, { id: kycId, from: 'APPROVED' }, { noticeSentAt: at, updatedAt: at });
    await addKycEvent(tx, { kycId, action: 'EXPIRY_NOTICE_SENT', performedBy: null, note: null, at });
    const content = kycExpiringLetter({ ...verification, levelAfter, firstName: user.firstName });
    await enqueueQuietMail(tx, { reference: `kyc:${kycId}:expiring`, to: user.email, ...letter(content) });
    return true;
  });
