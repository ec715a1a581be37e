import { z } from 'zod';
import { suspensionProcess, unbanUser } from '../../../../workflows/identity/suspension/suspension.contract';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { oneUser } from '../one-user';
import { decisionNote, noteDecision, notifyUser } from './note-decision';

export const unbanUserEndpoint = endpoint({
  id: 'unbanUser',
  returns: 'The ban has ended',
  method: 'post',
  path: '/admin/users/:id/unban',
  summary: 'Let a banned user in again',
  description: 'Nobody changes a SUPER_ADMIN here, and an erased account stays closed.',
  tag: 'Administration: users',
  auth: 'super-admin',
  limit: perMinute(200),

  params: oneUser('BANNED'),
  body: z.object({
    note: decisionNote().describe('A note by an administrator; null without one.'),
    notifyUser: notifyUser(),
  }),
  success: 200,
  data: z
    .object({
      userId: z.uuid().describe('The user who was changed.'),
      status: z.literal('ACTIVE'),
      unbannedAt: z.iso.datetime().describe('When the ban ended.'),
      unbannedBy: z.uuid().describe('The administrator who did it.'),
    })
    .meta({ id: 'UnbannedUser' }),
  errors: { USER_NOT_FOUND: 404, CANNOT_MODIFY_SUPER_ADMIN: 403 },

  async handle({ params: { id }, body }, context) {
    const noteId = await noteDecision(id, body.note ?? null, context);
    const unbanned = await context.processes.open(
      suspensionProcess,
      { userId: id },
      unbanUser,
      { noteId, notifyUser: body.notifyUser ?? false },
      { updateId: context.request.idempotencyId },
    );
    return { userId: id, status: 'ACTIVE' as const, unbannedAt: unbanned.at, unbannedBy: context.caller.id };
  },
});
