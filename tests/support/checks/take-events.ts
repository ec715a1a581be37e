import type { ConsumerDeps } from '../../../activities/administration/domain-event/apply-event';
import { applyDue } from '../../../activities/administration/domain-event/apply-events';
import { commissionEffect } from '../../../activities/partners/event/commission-effect';
import {
  endDelivery,
  endWith,
  type DeliveredEvent,
} from '../../../db/administration/domain-event/event-delivery.transitions';
import { policyFrom, type Policy } from '../../../db/policy/config';
import { firstRow, rows, type Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';

/** The deps of a consumer without Temporal. */
export const consumerDeps = (db: Db, policy: Policy = policyFrom({})): ConsumerDeps => ({
  db,
  start: () => Promise.resolve('started' as const),
  effects: { commissions: commissionEffect(policy) },
});

/** Takes every event of the partner programme that is due, as the engine does, without a worker. Fails if one cannot be taken. */
export async function takeAllEvents(db: Db): Promise<number> {
  const result = { applied: 0, failed: 0, parked: 0, dead: 0 };
  while ((await applyDue(consumerDeps(db), 'commissions', result)) > 0);
  const failed = await rows<{ type: string; lastError: string }>(
    db,
    `SELECT e.type, d.last_error FROM event_deliveries d JOIN domain_events e USING (position)
      WHERE d.attempts > 0 AND d.state <> 'DEAD'`,
  );
  if (failed.length > 0) throw new Error(`Not taken: ${JSON.stringify(failed)}`);
  return result.applied;
}

/**
 * Takes this event now, whatever other events of its entity wait, as the engine does one that is due. Answers false if it is taken
 * already, is being taken, or is given up.
 */
export const takeEvent = (db: Db, policy: Policy, eventId: string, at = new Date()): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const event = await firstRow<DeliveredEvent>(
      tx,
      `WITH locked AS (SELECT d.position FROM event_deliveries d JOIN domain_events e USING (position)
         WHERE d.consumer = 'commissions' AND e.id = $1 AND d.state <> 'DEAD' FOR UPDATE OF d SKIP LOCKED)
       SELECT position, id, type, entity_id, data, occurred_at FROM locked JOIN domain_events USING (position)`,
      [eventId],
    );
    if (!event) return false;
    const delivery = { consumer: 'commissions' as const, position: event.position };
    const givenUp = await commissionEffect(policy)(tx, event, at);
    if (givenUp === null) await endDelivery(tx, delivery);
    else await endWith(tx, delivery, givenUp);
    return givenUp === null;
  });
