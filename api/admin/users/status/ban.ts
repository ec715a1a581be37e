import { z } from 'zod';
import { banUser, suspensionProcess } from '../../../../workflows/identity/suspension/suspension.contract';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { oneUser } from '../one-user';
import { noteDecision, notifyUser, reason } from './note-decision';

export const banUserEndpoint = endpoint({
  id: 'banUser',
  returns: 'The ban',
  method: 'post',
  path: '/admin/users/:id/ban',
  summary: 'Ban a user',
  description:
    'Ends all sessions and any suspension. A SUPER_ADMIN cannot be banned, and so nobody bans themselves.',
  tag: 'Administration: users',
  auth: 'super-admin',
  limit: perMinute(200),

  params: oneUser(),
  body: z.object({ reason: reason(), notifyUser: notifyUser() }),
  success: 200,
  data: z
    .object({
      userId: z.uuid().describe('The user who was changed.'),
      status: z.literal('BANNED'),
      reason: z.string(),
      bannedAt: z.iso.datetime().describe('When the user was banned.'),
      bannedBy: z.uuid().describe('The administrator who did it.'),
      sessionsRevoked: z.int().describe('How many sessions have ended by this.'),
    })
    .meta({ id: 'BannedUser' }),
  errors: { USER_NOT_FOUND: 404, CANNOT_MODIFY_SUPER_ADMIN: 403 },

  async handle({ params: { id }, body }, context) {
    const noteId = await noteDecision(id, body.reason, context);
    const banned = await context.processes.open(
      suspensionProcess,
      { userId: id },
      banUser,
      { noteId, notifyUser: body.notifyUser ?? false },
      { updateId: context.request.idempotencyId },
    );
    context.recordSecurityEvent({ event: 'account-banned', outcome: 'success', account: id });
    return {
      userId: id,
      status: 'BANNED' as const,
      reason: body.reason,
      bannedAt: banned.at,
      bannedBy: context.caller.id,
      sessionsRevoked: banned.sessionsRevoked,
    };
  },
});
