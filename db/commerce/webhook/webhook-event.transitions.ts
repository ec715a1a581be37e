import type { Attributes } from 'sequelize';
import { execute, firstRow, type Tx } from '../../sql/query';
import type { WebhookEvent } from './webhook-event.model';

/** A stored event, locked until the transaction ends. */
export type LockedEvent = Pick<Attributes<WebhookEvent>, 'provider' | 'body' | 'status'>;

/** Locks an event; a process was started for it, so a missing one is our own mistake. */
export async function lockEvent(tx: Tx, id: string): Promise<LockedEvent> {
  const event = await firstRow<LockedEvent>(
    tx,
    `SELECT provider, body, status FROM webhook_events WHERE id = $1 FOR UPDATE`,
    [id],
  );
  if (!event) throw new Error(`There is no webhook event ${id}.`);
  return event;
}

/** Records the result of this try to apply an event. */
export async function markEvent(
  tx: Tx,
  id: string,
  mark: Pick<Attributes<WebhookEvent>, 'status' | 'lastError'> & { at: string },
): Promise<void> {
  await execute(
    tx,
    `UPDATE webhook_events SET status = $2, last_error = $3, attempts = attempts + 1,
       started_at = coalesce(started_at, $4),
       processed_at = CASE WHEN $2 IN ('PROCESSED', 'IGNORED', 'DEAD') THEN $4::timestamptz END
     WHERE id = $1`,
    [id, mark.status, mark.lastError, mark.at],
  );
}
