import { z } from 'zod';
import { listWebhookEvents } from '../../../db/administration/webhook/webhook-event-list.reads';
import { endpoint } from '../../http/endpoint';
import { isoDate, periodEnd, text } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { paging, windowOf } from '../../http/answer/paging';
import {
  WebhookEventStatus,
  WebhookEventView,
  webhookEventView,
  WebhookKindField,
} from './webhook-event.view';

export const listWebhookEventsEndpoint = endpoint({
  id: 'listWebhookEvents',
  returns: 'One page of reports',
  method: 'get',
  path: '/admin/webhook-events',
  summary: 'List reports of providers',
  description:
    'Newest first: what payment providers and investment providers have reported, and what became of it. Without the texts, which have personal data. Where more than 10,000 match, `total` may be less than their number.',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    provider: text({ min: 1, max: 50 })
      .optional()
      .meta({ description: 'The code of a provider.', example: 'sandbox' }),
    status: WebhookEventStatus.optional(),
    type: text({ min: 1, max: 100 })
      .optional()
      .meta({ description: 'Only those of this kind.', example: 'profit.distributed' }),
    kind: WebhookKindField.optional().describe('Only reports of providers of this area.'),
    dateFrom: isoDate().optional().meta({ description: 'Received at this time or later.' }),
    dateTo: periodEnd().optional().meta({ description: 'Received by the end of this day or time.' }),
  }),
  success: 200,
  paginated: true,
  data: z.object({ events: z.array(WebhookEventView).describe('One page of reports.') }),
  errors: {},

  async handle({ query: { page, pageSize, ...filter } }, { db, reply }) {
    const { provider = null, status = null, type = null, kind = null, dateFrom, dateTo } = filter;
    const found = await listWebhookEvents(
      db,
      { provider, status, type, kind, from: moment(dateFrom), to: moment(dateTo) },
      windowOf({ page, pageSize }),
    );
    reply.page({ total: found.total, page, pageSize });
    return { events: found.events.map(webhookEventView) };
  },
});

/** As a Date, which the database takes in every year that a timestamp can name. */
const moment = (at: string | undefined): Date | null => (at === undefined ? null : new Date(at));
