import { z } from 'zod';
import {
  suspensionProcess,
  suspendUser,
} from '../../../../workflows/identity/suspension/suspension.contract';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { oneUser } from '../one-user';
import { noteDecision, notifyUser, reason } from './note-decision';

/** Chosen: ten years; a longer suspension is one without an end. */
const MOST_DAYS = 3_650;

export const suspendUserEndpoint = endpoint({
  id: 'suspendUser',
  returns: 'The suspension',
  method: 'post',
  path: '/admin/users/:id/suspend',
  summary: 'Suspend a user',
  description:
    'Ends all sessions at once. With a duration the suspension ends by itself. Only a user who is ACTIVE can be suspended.',
  tag: 'Administration: users',
  auth: 'admin',
  limit: perMinute(200),

  params: oneUser('ACTIVE'),
  body: z.object({
    reason: reason(),
    duration: z
      .int()
      .min(1)
      .max(MOST_DAYS)
      .nullish()
      .meta({ description: 'Whole days; null or left out: until an administrator ends it.', example: 7 }),
    notifyUser: notifyUser(),
  }),
  success: 200,
  data: z
    .object({
      userId: z.uuid().describe('The user who was changed.'),
      status: z.literal('SUSPENDED'),
      reason: z.string(),
      suspendedAt: z.iso.datetime().describe('When the suspension began.'),
      suspendedBy: z.uuid().describe('The administrator who did it.'),
      suspendedUntil: z.iso
        .datetime()
        .nullable()
        .describe('When the suspension ends by itself; null: when an administrator ends it.'),
      sessionsRevoked: z.int().describe('How many sessions have ended by this.'),
    })
    .meta({ id: 'SuspendedUser' }),
  errors: { USER_NOT_FOUND: 404, CANNOT_SUSPEND_ADMIN: 403, ALREADY_SUSPENDED: 400 },

  async handle({ params: { id }, body }, context) {
    const noteId = await noteDecision(id, body.reason, context);
    const suspended = await context.processes.open(
      suspensionProcess,
      { userId: id },
      suspendUser,
      { noteId, days: body.duration ?? null, notifyUser: body.notifyUser ?? false },
      { updateId: context.request.idempotencyId },
    );
    context.recordSecurityEvent({ event: 'account-suspended', outcome: 'success', account: id });
    return {
      userId: id,
      status: 'SUSPENDED' as const,
      reason: body.reason,
      suspendedAt: suspended.at,
      suspendedBy: context.caller.id,
      suspendedUntil: suspended.until,
      sessionsRevoked: suspended.sessionsRevoked,
    };
  },
});
