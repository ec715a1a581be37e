import { z } from 'zod';
import type { UnsentEvent } from '../../../db/administration/domain-event/unsent-event.reads';
import { CONSUMER_NAMES } from '../../../workflows/administration/domain-event/consumers.rules';
import { eventFailureProcess } from '../../../workflows/administration/domain-event/event-failure.contract';

export const UnsentState = z.enum(['WAITING', 'PARKED', 'DEAD']).meta({
  id: 'UnsentState',
  description:
    'WAITING: its consumer takes it by itself. PARKED: it could not be applied, and its own process waits for a person. DEAD: a person gave it up, or an earlier event that it depends on.',
});

export const EventConsumer = z.enum(CONSUMER_NAMES).meta({
  id: 'EventConsumer',
  description:
    'The area that acts on the event. commissions: the commission engine of the partner programme.',
});

export const UnsentEventView = z
  .object({
    id: z.uuid(),
    type: z.string().meta({ description: 'The kind of event.', example: 'order.paid' }),
    entityId: z
      .uuid()
      .meta({ description: 'The id of the order, the participation, the entrance fee or the partner.' }),
    consumer: EventConsumer,
    state: UnsentState,
    reason: z.enum(['NOT_TAKEN_YET', 'TRIED_AGAIN_LATER', 'EARLIER_EVENT', 'PARKED', 'GIVEN_UP']).meta({
      description:
        'NOT_TAKEN_YET: its consumer has not come to it. TRIED_AGAIN_LATER: it failed, and is tried again at `nextAttemptAt`. EARLIER_EVENT: it waits for an earlier event of the same entity. PARKED: see `operationId`. GIVEN_UP: it is not applied.',
    }),
    occurredAt: z.iso.datetime().meta({ description: 'When it happened.' }),
    ageSeconds: z.number().int().meta({ description: 'The time since then.' }),
    attempts: z.number().int().meta({ description: 'How often it failed.' }),
    nextAttemptAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it is tried again; null: at once, or by a person.' }),
    parkedAt: z.iso.datetime().nullable().meta({ description: 'Since when it waits for a person.' }),
    lastError: z.string().nullable().describe('Why the last attempt failed.'),
    operationId: z.string().nullable().meta({
      description: 'Its process, with which POST /admin/operations/:workflowId/retry tries it now.',
      example: 'event-failure:commissions:4711',
    }),
  })
  .meta({ id: 'UnsentEvent', description: 'A business event that one of its consumers has not applied.' });

export const unsentEventView = (event: UnsentEvent): z.output<typeof UnsentEventView> => ({
  id: event.id,
  type: event.type,
  entityId: event.entityId,
  consumer: event.consumer,
  state: event.state === 'DUE' ? 'WAITING' : event.state,
  reason: reasonOf(event),
  occurredAt: event.occurredAt.toISOString(),
  ageSeconds: Math.floor(event.ageSeconds),
  attempts: event.attempts,
  nextAttemptAt: event.state === 'DUE' && event.attempts > 0 ? event.dueAt.toISOString() : null,
  parkedAt: event.state === 'PARKED' ? event.stateSince.toISOString() : null,
  lastError: event.lastError,
  operationId: event.state === 'PARKED' ? eventFailureProcess.id(event) : null,
});

function reasonOf({ state, attempts, isHeldUp }: UnsentEvent): z.output<typeof UnsentEventView>['reason'] {
  if (state === 'PARKED') return 'PARKED';
  if (state === 'DEAD') return 'GIVEN_UP';
  if (isHeldUp) return 'EARLIER_EVENT';
  return attempts > 0 ? 'TRIED_AGAIN_LATER' : 'NOT_TAKEN_YET';
}
