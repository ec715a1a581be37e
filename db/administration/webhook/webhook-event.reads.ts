import type { Attributes } from 'sequelize';
import { rows, type Db } from '../../sql/query';
import type { WebhookEvent } from './webhook-event.model';

/** The area whose provider sent an event. */
export type WebhookKind = 'PAYMENT' | 'INVESTMENT';

export type UnstartedWebhookEvent = Pick<
  Attributes<WebhookEvent>,
  'id' | 'kind' | 'provider' | 'externalEventId'
>;

/** Events that were stored before a moment and have no process, yet or any more, oldest first. */
export async function unstartedWebhookEvents(
  db: Db,
  { receivedBefore, limit }: { receivedBefore: Date; limit: number },
): Promise<UnstartedWebhookEvent[]> {
  return rows<UnstartedWebhookEvent>(
    db,
    `SELECT id, kind, provider, external_event_id
       FROM webhook_events
      WHERE started_at IS NULL AND status IN ('RECEIVED', 'WAITING') AND received_at < $1
      ORDER BY received_at, id
      LIMIT $2`,
    [receivedBefore, limit],
  );
}
