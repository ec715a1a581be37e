import { z } from 'zod';
import { tryEventAgain } from '../../../workflows/commerce/webhook/webhook-event.contract';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { discardReport } from './discard.command';
import { processOf } from './report-process';
import { idOf } from '../../http/request/ids/id-of';

export const discardWebhookEvent = endpoint({
  id: 'discardWebhookEvent',
  returns: 'The report, which is never applied',
  method: 'post',
  path: '/admin/webhook-events/:id/discard',
  summary: 'Discard a report that will never be applied',
  description:
    'For a DEAD or WAITING report that is wrong. It is not applied any more, also when it is sent again, and counts as not reported. This is final. Nobody discards a report of an investment provider about themselves.',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: idOf('report', 'DEAD', 'WAITING') }),
  body: z
    .object({
      reason: text({ min: 1, max: 500 }).min(3).meta({
        description: 'For the audit log and for those who look at the report later.',
        example: 'The provider has sent a corrected report.',
      }),
    })
    .meta({ id: 'DiscardRequest' }),
  success: 200,
  data: z
    .object({ id: z.uuid().describe('Identifies the report; a UUID.'), status: z.literal('DISCARDED') })
    .meta({ id: 'DiscardedWebhookEvent', description: 'The discarded report.' }),
  errors: { EVENT_NOT_FOUND: 404, FORBIDDEN: 403 },

  async handle({ params: { id }, body: { reason } }, context) {
    const event = await discardReport(context, { id, reason }, actorOf(context));
    if (event.status === 'WAITING') {
      const { process, input } = processOf(event);
      await context.processes.startAgain(process, input, tryEventAgain);
    }
    return { id, status: 'DISCARDED' as const };
  },
});
