import { audited } from '../../../db/administration/audit/audit.writes';
import { twoFactorMethodOf } from '../../../db/identity/second-factor/second-factor.reads';
import { disableSecondFactor } from '../../../db/identity/second-factor/second-factor.writes';
import { lockUserForSignIn } from '../../../db/identity/user/user-lock.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import { noSuchUser } from '../../../workflows/identity/user-administration/administrator-access';
import { queueTwoFactorMail } from '../../auth/two-factor/notice';

interface ResetTwoFactor {
  userId: string;
  by: { id: string; clientAddress: string };
  at: Date;
}

/**
 * Removes a user's second factor with its backup codes, ends all sessions and mails the owner. Refuses with FORBIDDEN an
 * administrator's own, USER_NOT_FOUND and TWO_FACTOR_NOT_ENABLED.
 */
export async function resetTwoFactor(db: Db, { userId, by, at }: ResetTwoFactor): Promise<void> {
  if (userId === by.id) throw refusal('FORBIDDEN', 'Another administrator has to reset your second factor.');
  await inTransaction(db, async (tx) => {
    const user = await lockUserForSignIn(tx, userId);
    if (!user) throw noSuchUser();
    const method = await twoFactorMethodOf(tx, userId);
    if (method === null)
      throw refusal('TWO_FACTOR_NOT_ENABLED', 'Two-factor sign-in is not on for this user.');
    await disableSecondFactor(tx, userId, null, 'ADMIN');
    await queueTwoFactorMail(tx, user, 'reset');
    await audited(
      tx,
      { actorId: by.id, clientAddress: by.clientAddress, at },
      'user.reset-two-factor',
      userId,
      { twoFactorMethod: method },
      { twoFactorMethod: null },
    );
  });
}
