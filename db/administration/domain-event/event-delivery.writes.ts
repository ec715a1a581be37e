import type { DeliveryRef } from '../../../workflows/administration/domain-event/event-failure.contract';
import { execute, firstRow, rows, type Tx } from '../../sql/query';
import { lockState } from './event-delivery.transitions';

/**
 * Makes a delivery that was given up due again, and with it those that were given up with it. Later events of the entity that are
 * being applied are ended first. Returns false if it was not given up, or with an earlier one: its consumer would give it up again.
 */
export async function reviveDelivery(tx: Tx, delivery: DeliveryRef): Promise<boolean> {
  const { consumer, position } = delivery;
  // The later ones first: one that is being given up with it holds its own lock, and waits for that of the earlier one.
  await rows(
    tx,
    `SELECT 1 AS one FROM event_deliveries l JOIN event_deliveries d USING (consumer, entity_id)
     WHERE d.consumer = $1 AND d.position = $2 AND l.position > $2 ORDER BY l.position FOR UPDATE OF l`,
    [consumer, position],
  );
  if ((await lockState(tx, delivery)) !== 'DEAD' || (await givenUpWith(tx, delivery)) !== null) return false;
  await execute(
    tx,
    `UPDATE event_deliveries SET state = 'DUE', state_since = now(), due_at = now(), dead_with = NULL
     WHERE consumer = $1 AND (position = $2 OR dead_with = $2)
       AND entity_id = (SELECT entity_id FROM event_deliveries WHERE consumer = $1 AND position = $2)`,
    [consumer, position],
  );
  return true;
}

/** The id of the event with which a delivery was given up; null if it was given up by itself, or is not. */
export const givenUpWith = async (tx: Tx, { consumer, position }: DeliveryRef): Promise<string | null> =>
  (
    await firstRow<{ id: string }>(
      tx,
      `SELECT e.id FROM event_deliveries d JOIN domain_events e ON e.position = d.dead_with
       WHERE d.consumer = $1 AND d.position = $2`,
      [consumer, position],
    )
  )?.id ?? null;
