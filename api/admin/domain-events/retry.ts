import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { idOf } from '../../http/request/ids/id-of';
import { actorOf } from '../actor';
import { retryGivenUp } from './retry.command';
import { EventConsumer } from './unsent-event.view';

export const retryEvent = endpoint({
  id: 'retryEvent',
  returns: 'The event, which its consumer applies next',
  method: 'post',
  path: '/admin/domain-events/:id/retry',
  summary: 'Apply an event that was given up',
  description:
    'Its consumer tries it again, and with it the events that were given up with it, such as the refunds of an order, which are not retried by themselves. One that waits for a person is retried by its operation.',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: idOf('event', 'DEAD') }),
  body: z.object({ consumer: EventConsumer }),
  success: 200,
  data: z
    .object({
      id: z.uuid().describe('Identifies the event; a UUID.'),
      consumer: EventConsumer,
      state: z.literal('WAITING').describe('Always WAITING: its consumer applies it by itself.'),
    })
    .meta({ id: 'RetriedEvent', description: 'An event that its consumer applies next.' }),
  errors: { FORBIDDEN: 403, EVENT_NOT_FOUND: 404, NOT_DEAD: 409 },
  atomic: true,

  async handle({ params: { id }, body: { consumer } }, context) {
    await retryGivenUp(context.db, { id, consumer }, actorOf(context));
    return { id, consumer, state: 'WAITING' as const };
  },
});
