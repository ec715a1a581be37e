import { z } from 'zod';
import { participationHead } from '../../../db/investment/participation/participation-head.reads';
import { refusal } from '../../../workflows/errors';
import {
  cancelParticipation,
  participationProcess,
} from '../../../workflows/investment/participation/participation.contract';
import { endpoint } from '../../http/endpoint';
import { noteOf } from '../../http/idempotency/note';
import { perMinute } from '../../http/limits/limits';
import { text } from '../../http/request/fields';
import { participationReference } from '../../http/request/ids/references';

export const cancelUnpaidParticipation = endpoint({
  id: 'cancelParticipation',
  returns: 'It is cancelled',
  method: 'post',
  path: '/admin/participations/:id/cancel',
  summary: 'Cancel a participation that waits for its payment',
  description:
    'The capacity that it keeps is free at once. Its owner gets an email; money that comes later is sent back.',
  tag: 'Administration: investment',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: participationReference('PENDING_PAYMENT') }),
  body: z.object({
    reason: text({ min: 1, max: 500 }).meta({
      description: 'For the audit log.',
      example: 'Requested again and again, and never paid.',
    }),
  }),
  success: 200,
  data: z
    .object({
      participationId: z.uuid().describe('The participation that it is about.'),
      status: z.literal('CANCELLED'),
    })
    .meta({ id: 'CancelledParticipation' }),
  errors: { PARTICIPATION_NOT_FOUND: 404, CANNOT_CANCEL: 400 },

  async handle({ params: { id: participationId }, body: { reason } }, context) {
    const { db, processes, request } = context;
    const participation = await participationHead(db, participationId);
    if (!participation) throw refusal('PARTICIPATION_NOT_FOUND');
    const noteId = await noteOf(context, reason);
    const { userId } = participation;
    await processes.open(
      participationProcess,
      { participationId, userId, exists: true },
      cancelParticipation,
      { noteId },
      { updateId: request.idempotencyId },
    );
    return { participationId, status: 'CANCELLED' as const };
  },
});
