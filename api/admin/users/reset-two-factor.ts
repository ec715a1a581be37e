import { z } from 'zod';
import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { twoFactorMethodOf } from '../../../db/identity/second-factor/second-factor.reads';
import { disableSecondFactor } from '../../../db/identity/second-factor/second-factor.writes';
import { lockUser } from '../../../db/identity/user/user-lock.writes';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import { queueTwoFactorMail } from '../../auth/two-factor/notice';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { oneUser } from './standing';

export const resetTwoFactorEndpoint = endpoint({
  method: 'post',
  path: '/admin/users/:id/reset-two-factor',
  summary: 'Take a second factor off that its owner has lost',
  description:
    'Removes it with its backup codes, ends all sessions and tells the owner, who then signs in by password. Make sure who asks before. Nobody resets their own.',
  tag: 'Administration: users',
  auth: 'super-admin',
  limit: perMinute(200),
  atomic: true,

  params: oneUser,
  success: 200,
  data: z
    .object({ userId: z.uuid(), resetAt: z.iso.datetime(), resetBy: z.uuid() })
    .meta({ id: 'TwoFactorReset' }),
  errors: { FORBIDDEN: 403, USER_NOT_FOUND: 404, TWO_FACTOR_NOT_ENABLED: 400 },

  async handle({ params: { id } }, { caller, db, recordSecurityEvent, request }) {
    if (id === caller.id) throw refusal('FORBIDDEN', 'Somebody else has to reset your second factor.');
    const at = new Date();
    await inTransaction(db, async (tx) => {
      const user = await lockUser(tx, id);
      if (!user) throw refusal('USER_NOT_FOUND', 'There is no such user.');
      const method = await twoFactorMethodOf(tx, id);
      if (method === null) throw refusal('TWO_FACTOR_NOT_ENABLED', 'This user has no second factor.');
      await disableSecondFactor(tx, id, null, 'ADMIN');
      await queueTwoFactorMail(tx, user, 'reset');
      await recordAudit(tx, {
        actorId: caller.id,
        action: 'user.reset-two-factor',
        entityType: 'user',
        entityId: id,
        previous: { twoFactorMethod: method },
        next: { twoFactorMethod: null },
        clientAddress: request.clientAddress,
        at,
      });
    });
    recordSecurityEvent({ event: 'two-factor-reset', outcome: 'success', account: id });
    return { userId: id, resetAt: at.toISOString(), resetBy: caller.id };
  },
});
