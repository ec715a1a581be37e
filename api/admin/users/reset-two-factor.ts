import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { oneUser } from './one-user';
import { resetTwoFactor } from './reset-two-factor.command';

export const resetTwoFactorEndpoint = endpoint({
  id: 'resetTwoFactor',
  returns: 'The account has no second factor any more',
  method: 'post',
  path: '/admin/users/:id/reset-two-factor',
  summary: 'Remove a second factor that its owner has lost',
  description:
    'Removes it with its backup codes, ends all sessions and informs the owner, who then signs in by password. Check the identity of the user first. Nobody resets their own.',
  tag: 'Administration: users',
  auth: 'super-admin',
  limit: perMinute(200),
  atomic: true,

  params: oneUser(),
  success: 200,
  data: z
    .object({
      userId: z.uuid().describe('The user who was changed.'),
      resetAt: z.iso.datetime().describe('When the second factor was removed.'),
      resetBy: z.uuid().describe('The administrator who did it.'),
    })
    .meta({ id: 'TwoFactorReset' }),
  errors: { FORBIDDEN: 403, USER_NOT_FOUND: 404, TWO_FACTOR_NOT_ENABLED: 400 },

  async handle({ params: { id } }, { caller, db, recordSecurityEvent, request }) {
    const at = new Date();
    await resetTwoFactor(db, {
      userId: id,
      by: { id: caller.id, clientAddress: request.clientAddress },
      at,
    });
    recordSecurityEvent({ event: 'two-factor-reset', outcome: 'success', account: id });
    return { userId: id, resetAt: at.toISOString(), resetBy: caller.id };
  },
});
