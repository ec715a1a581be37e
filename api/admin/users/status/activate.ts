import { z } from 'zod';
import {
  activateUser,
  suspensionProcess,
} from '../../../../workflows/identity/suspension/suspension.contract';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { oneUser } from '../one-user';
import { decisionNote, noteDecision, notifyUser } from './note-decision';

export const activateUserEndpoint = endpoint({
  id: 'activateUser',
  returns: 'The suspension has ended',
  method: 'post',
  path: '/admin/users/:id/activate',
  summary: 'End a suspension',
  description: 'Only a SUPER_ADMIN activates an ADMIN; nobody changes a SUPER_ADMIN here.',
  tag: 'Administration: users',
  auth: 'admin',
  limit: perMinute(200),

  params: oneUser('SUSPENDED'),
  body: z.object({
    note: decisionNote().describe('A note by an administrator; null without one.'),
    notifyUser: notifyUser(),
  }),
  success: 200,
  data: z
    .object({
      userId: z.uuid().describe('The user who was changed.'),
      status: z.literal('ACTIVE'),
      activatedAt: z.iso.datetime().describe('When the suspension ended.'),
      activatedBy: z.uuid().describe('The administrator who did it.'),
    })
    .meta({ id: 'ActivatedUser' }),
  errors: { USER_NOT_FOUND: 404, CANNOT_MODIFY_SUPER_ADMIN: 403, NOT_SUSPENDED: 400 },

  async handle({ params: { id }, body }, context) {
    const noteId = await noteDecision(id, body.note ?? null, context);
    const activated = await context.processes.open(
      suspensionProcess,
      { userId: id },
      activateUser,
      { noteId, notifyUser: body.notifyUser ?? false },
      { updateId: context.request.idempotencyId },
    );
    return {
      userId: id,
      status: 'ACTIVE' as const,
      activatedAt: activated.at,
      activatedBy: context.caller.id,
    };
  },
});
