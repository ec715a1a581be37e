import type { WebhookEventInput } from '../../../workflows/commerce/webhook/webhook-event.contract';
import type { ProcessDefinition } from '../../../workflows/kit/process';
import { driven, type Driven } from '../driven';

/** The processes of the stored reports of one kind. */
export const reportsOf = (
  process: ProcessDefinition<WebhookEventInput>,
  kind: 'PAYMENT' | 'INVESTMENT',
): Driven =>
  driven(
    process,
    {
      table: 'webhook_events',
      columns: `provider, external_event_id, id AS webhook_event_id, replays`,
      open: {
        where: `kind = '${kind}' AND status IN ('RECEIVED', 'WAITING') AND started_at IS NOT NULL`,
        detail: `format('event %s of %s is %s', external_event_id, provider, status)`,
        since: 'started_at',
      },
      settled: {
        // A process that waits and is not told that its report was discarded finds out within the hour.
        where: `kind = '${kind}' AND (status IN ('PROCESSED', 'DEAD')
          OR status = 'DISCARDED' AND processed_at < now() - interval '70 minutes')`,
        detail: `format('event %s of %s is %s', external_event_id, provider, status)`,
        since: 'processed_at',
      },
    },
    ({ provider = '', externalEventId = '', webhookEventId = '', replays = '' }) => ({
      provider,
      externalEventId,
      webhookEventId,
      replays: Number(replays),
    }),
  );
