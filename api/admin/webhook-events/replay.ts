import { z } from 'zod';
import { markWebhookEventsStarted } from '../../../db/administration/webhook/webhook-event.writes';
import { tryEventAgain } from '../../../workflows/commerce/webhook/webhook-event.contract';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { replayEvent } from './replay.command';
import { processOf } from './report-process';
import { WebhookEventStatus } from './webhook-event.view';
import { idOf } from '../../http/request/ids/id-of';

export const replayWebhookEvent = endpoint({
  id: 'replayWebhookEvent',
  returns: 'The report, which is tried again',
  method: 'post',
  path: '/admin/webhook-events/:id/replay',
  summary: 'Have a report applied again',
  description:
    'A DEAD report is applied again as it came, for when the cause is gone. It is applied once, however often it is replayed.',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: idOf('report', 'DEAD') }),
  body: z
    .object({
      confirm: z.boolean().optional().meta({
        description:
          'True lets the amounts of an investment provider’s report through although they are beyond the bounds, and is possible for a WAITING report too. Default: false. The investment that it is about must be known here. Nobody confirms a report about themselves.',
      }),
    })
    .default({})
    .meta({ id: 'ReplayRequest' }),
  success: 200,
  data: z
    .object({ id: z.uuid().describe('Identifies the report; a UUID.'), status: WebhookEventStatus })
    .meta({ id: 'ReplayedWebhookEvent', description: 'The status before it is tried again.' }),
  errors: { EVENT_NOT_FOUND: 404, NOT_REPLAYABLE: 400, FORBIDDEN: 403 },

  async handle({ params: { id }, body: { confirm = false } }, context) {
    const { db, processes } = context;
    const event = await replayEvent(context, { id, confirm }, actorOf(context));
    const { process, input } = processOf(event);
    await processes.startAgain(process, input, tryEventAgain);
    await markWebhookEventsStarted(db, [id], new Date());
    return { id, status: event.status };
  },
});
