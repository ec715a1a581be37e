import { v7 } from 'uuid';
import { z } from 'zod';
import type { WebhookKind } from '../../db/administration/webhook/webhook-event.reads';
import {
  markWebhookEventsStarted,
  storeWebhookEvent,
} from '../../db/administration/webhook/webhook-event.writes';
import type { WebhookEventInput } from '../../workflows/commerce/webhook/webhook-event.contract';
import type { ProcessDefinition } from '../../workflows/kit/process';
import type { Context } from '../http/handler-context';
import type { Intake } from '../http/request/intake';

export const ReceivedReport = z
  .object({ eventId: z.uuid().describe('Our id of the report.'), status: z.enum(['ACCEPTED', 'DUPLICATE']) })
  .meta({ id: 'ReceivedReport', description: 'Our id of the report, and whether it had come before.' });

interface Source {
  kind: WebhookKind;
  provider: string;
  process: ProcessDefinition<WebhookEventInput>;
}

/** Starts that are under way at the same time in this program. A burst's other reports are left to the sweep. */
const MOST_STARTS = 100;

/**
 * Stores a verified report and starts its process; the same for every company that sends reports. The sender's answer
 * does not wait for the process: a report is safe once it is stored.
 */
export async function receiveReport(
  intake: Intake,
  { kind, provider, process }: Source,
  context: Context,
): Promise<z.output<typeof ReceivedReport>> {
  const { request, reply, db, log } = context;
  const report = intake.read(request);
  const { externalEventId, bodyHash } = report;
  const stored = await storeWebhookEvent(db, { id: v7(), kind, provider, at: new Date(), ...report });
  // Chosen: an id that comes again with another body is answered like any repeat, so that the sender learns nothing and
  // stops; the first delivery stays, and an alert is logged.
  if (stored.bodyHash !== bodyHash)
    log.error(
      { alert: 'WEBHOOK_ID_REUSED', provider, externalEventId },
      'a webhook id came with another body',
    );
  if (stored.unstarted && context.processes.pending < MOST_STARTS)
    void startProcess(
      process,
      { provider, externalEventId, webhookEventId: stored.id, replays: stored.replays },
      context,
    );
  if (!stored.fresh) reply.status(200);
  return { eventId: stored.id, status: stored.fresh ? 'ACCEPTED' : 'DUPLICATE' };
}

/** Starts the report's process; the sweep does if this fails. */
async function startProcess(
  process: Source['process'],
  event: WebhookEventInput,
  { processes, db, log }: Context,
): Promise<void> {
  try {
    await processes.start(process, event);
    await markWebhookEventsStarted(db, [event.webhookEventId], new Date());
  } catch (error) {
    log.warn({ err: error, webhookEventId: event.webhookEventId }, 'a webhook waits for the sweep');
  }
}
