import { z } from 'zod';
import type { UnsentEvent } from '../../../db/administration/domain-event/unsent-event.reads';
import { commissionEventProcess } from '../../../workflows/partners/commission/commission-event.contract';

export const UnsentState = z.enum(['WAITING', 'PARKED']).meta({
  id: 'UnsentState',
  description:
    'WAITING: the commission engine takes it by itself. PARKED: it could not be counted, and its own process waits for a person.',
});

export const UnsentEventView = z
  .object({
    id: z.uuid(),
    type: z.string().meta({ example: 'order.paid' }),
    entityId: z.uuid().meta({ description: 'The id of the order, the participation or the partner.' }),
    state: UnsentState,
    reason: z.enum(['NOT_TAKEN_YET', 'TRIED_AGAIN_LATER', 'PARKED']).meta({
      description:
        'NOT_TAKEN_YET: the engine has not come to it. TRIED_AGAIN_LATER: it failed, and is tried again at `nextAttemptAt`. PARKED: see `operationId`.',
    }),
    occurredAt: z.iso.datetime().meta({ description: 'When it happened.' }),
    ageSeconds: z.number().int().meta({ description: 'The time since then.' }),
    attempts: z.number().int().meta({ description: 'How often it failed.' }),
    nextAttemptAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it is tried again; null: at once.' }),
    parkedAt: z.iso.datetime().nullable().meta({ description: 'Since when it waits for a person.' }),
    lastError: z.string().nullable(),
    operationId: z.string().nullable().meta({
      description: 'Its process, with which POST /admin/operations/:workflowId/retry tries it now.',
      example: 'commission-event:0199f3a2-51b0-7e08-8c47-6f0d9b3e2a15',
    }),
  })
  .meta({ id: 'UnsentEvent', description: 'A business event that the commission engine has not taken.' });

export const unsentEventView = (event: UnsentEvent): z.output<typeof UnsentEventView> => ({
  id: event.id,
  type: event.type,
  entityId: event.entityId,
  state: event.parkedAt === null ? 'WAITING' : 'PARKED',
  reason: reasonOf(event),
  occurredAt: event.occurredAt.toISOString(),
  ageSeconds: Math.floor(event.ageSeconds),
  attempts: event.attempts,
  nextAttemptAt: event.nextAttemptAt?.toISOString() ?? null,
  parkedAt: event.parkedAt?.toISOString() ?? null,
  lastError: event.lastError,
  operationId: event.parkedAt === null ? null : commissionEventProcess.id({ eventId: event.id }),
});

function reasonOf({ parkedAt, attempts }: UnsentEvent): 'NOT_TAKEN_YET' | 'TRIED_AGAIN_LATER' | 'PARKED' {
  if (parkedAt !== null) return 'PARKED';
  return attempts > 0 ? 'TRIED_AGAIN_LATER' : 'NOT_TAKEN_YET';
}
