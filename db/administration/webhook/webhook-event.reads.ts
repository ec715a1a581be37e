import type { Attributes } from 'sequelize';
import { rows, type Db } from '../../sql/query';
import type { WebhookEvent } from './webhook-event.model';

/** The area whose provider sent an event. */
export type WebhookKind = 'PAYMENT' | 'INVESTMENT';

export type UnstartedWebhookEvent = Pick<
  Attributes<WebhookEvent>,
  'id' | 'kind' | 'provider' | 'externalEventId' | 'replays'
>;

/**
 * Events that were stored before a moment and have no process, yet or any more, oldest first; those that an earlier sweep could not
 * start come last, those that the sweep of `at` could not start are left out.
 */
export async function unstartedWebhookEvents(
  db: Db,
  { receivedBefore, at, limit }: { receivedBefore: Date; at: string; limit: number },
): Promise<UnstartedWebhookEvent[]> {
  return rows<UnstartedWebhookEvent>(
    db,
    `SELECT id, kind, provider, external_event_id, replays
       FROM webhook_events
      WHERE started_at IS NULL AND status IN ('RECEIVED', 'WAITING') AND received_at < $1
        AND (start_failed_at IS NULL OR start_failed_at < $2)
      ORDER BY start_failed_at NULLS FIRST, received_at, id
      LIMIT $3`,
    [receivedBefore, at, limit],
  );
}
