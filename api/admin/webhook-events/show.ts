import { z } from 'zod';
import { storedReport } from '../../../db/administration/webhook/webhook-event-detail.reads';
import { reportedParticipation } from '../../../db/investment/provider-event/reported-participation.reads';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { recordOpening } from './open.command';
import { reportedData } from './reported-data';
import { WebhookEventDetail, webhookEventDetailView } from './webhook-event-detail.view';
import { idOf } from '../../http/request/ids/id-of';

export const showWebhookEvent = endpoint({
  id: 'getWebhookEvent',
  returns: 'The report, and what it is about',
  method: 'get',
  path: '/admin/webhook-events/:id',
  summary: 'Show a report',
  description:
    'With what it says, without personal data, and the participation that it is about. Each reading is in the audit log.',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: idOf('report') }),
  success: 200,
  data: WebhookEventDetail,
  errors: { EVENT_NOT_FOUND: 404 },

  async handle({ params: { id } }, context) {
    const { db } = context;
    const report = await storedReport(db, id);
    if (!report) throw refusal('EVENT_NOT_FOUND');
    const said = report.body === null ? null : reportedData(report.body);
    const participation = await reportedParticipation(db, report, said?.data ?? {});
    await recordOpening(db, { id, userId: participation?.userId ?? null }, actorOf(context));
    return webhookEventDetailView(report, said, participation);
  },
});
