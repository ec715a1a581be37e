import { z } from 'zod';
import type { ListedWebhookEvent } from '../../../db/administration/webhook/webhook-event-list.reads';
import { WEBHOOK_EVENT_STATUSES } from '../../../workflows/commerce/webhook/webhook-event.rules';

export const WebhookEventStatus = z.enum(WEBHOOK_EVENT_STATUSES).meta({
  id: 'WebhookEventStatus',
  description:
    'WAITING: what it is about is not known yet. DEAD: it could not be applied, and a person decides. IGNORED: reports of this type change nothing, or it is about a payment of another system that shares our account. DISCARDED: a person decided that it is never applied.',
});

export const WebhookKindField = z
  .enum(['PAYMENT', 'INVESTMENT'])
  .meta({ id: 'WebhookKind', description: 'The area whose provider sent a report.' });

export const WebhookEventView = z
  .object({
    id: z.uuid().describe('Identifies the report; a UUID.'),
    kind: WebhookKindField.describe('Whether a payment provider or an investment provider sent it.'),
    providerCode: z.string().describe('The provider that sent it.'),
    externalEventId: z.string().meta({ description: 'What the provider calls it.' }),
    type: z.string().describe('The kind of report, as the provider calls it.'),
    status: WebhookEventStatus,
    attempts: z.number().int().describe('How often it was tried.'),
    lastError: z
      .string()
      .nullable()
      .meta({ description: 'Why it waits, is DEAD or IGNORED, or was discarded.' }),
    receivedAt: z.iso.datetime().describe('When it came.'),
    processedAt: z.iso
      .datetime()
      .nullable()
      .describe('When it was applied, ignored, given up or discarded; null until then.'),
  })
  .meta({ id: 'WebhookEvent', description: 'A report of a provider, without its text.' });

export const webhookEventView = (event: ListedWebhookEvent): z.output<typeof WebhookEventView> => ({
  id: event.id,
  kind: event.kind,
  providerCode: event.provider,
  externalEventId: event.externalEventId,
  type: event.type,
  status: event.status,
  attempts: event.attempts,
  lastError: event.lastError,
  receivedAt: event.receivedAt.toISOString(),
  processedAt: event.processedAt?.toISOString() ?? null,
});
