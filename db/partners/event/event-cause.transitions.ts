import type { DeliveredEvent } from '../../administration/domain-event/event-delivery.transitions';
import { rows, type Tx } from '../../sql/query';

/** The types of events that take back a part of a sale, or restore one. */
const TAKE_BACK: readonly string[] = [
  'refund.completed',
  'refund.charged_back',
  'chargeback.lost',
  'chargeback.returned',
];

/** True of a position whose event the engine has not counted. A fragment; `of` is SQL for the position. */
export const isUncounted = (of: string): string =>
  `EXISTS (SELECT FROM event_deliveries w WHERE w.consumer = 'commissions' AND w.position = ${of})`;

/**
 * The part of event `of`, the return of a chargeback, that its refunds are owed again, but for those whose announcement was given
 * up: nothing was taken for them. A fragment; `event` is SQL for the id of one that counts as counted, null: none.
 */
export const refundsOwedMinor = (of: string, event = 'NULL'): string => `
  (SELECT coalesce(sum((o ->> 'amountMinor')::bigint), 0)::bigint FROM jsonb_array_elements(${of}.data -> 'refundsOwed') o
    WHERE NOT EXISTS (SELECT FROM domain_events a
      WHERE a.reference = 'refund.completed:' || coalesce(o ->> 'refundRequestId', ${of}.entity_id::text)
        AND a.id IS DISTINCT FROM ${event} AND ${isUncounted('a.position')}))`;

/**
 * Locks the events without which one that takes back cannot be counted: the payment, of the return of a chargeback also its
 * loss, and of money that paid a refund also that refund. So those of one sale are counted one by one. Returns the position of one that was given up, null if all are counted.
 * Throws if one waits to be counted.
 */
export async function lockCauses(
  tx: Tx,
  { type, entityId, data }: Pick<DeliveredEvent, 'type' | 'entityId' | 'data'>,
): Promise<number | null> {
  if (!TAKE_BACK.includes(type)) return null;
  const references = [`order.paid:${entityId}`, `entrance.paid:${entityId}`];
  if (type === 'chargeback.returned') references.push(`chargeback.lost:${String(data['chargebackId'])}`);
  const refundOf = typeof data['refundRequestId'] === 'string' ? data['refundRequestId'] : entityId;
  if (type === 'refund.charged_back') references.push(`refund.completed:${refundOf}`);
  const causes = await rows<{ position: number }>(
    tx,
    `SELECT position FROM domain_events
     WHERE reference = ANY($1::text[]) OR (entity_id = $2 AND type = 'investment.created')
     ORDER BY position FOR NO KEY UPDATE`,
    [references, entityId],
  );
  // Locked until this one has ended with them: one that is made due again meanwhile takes it along.
  const uncounted = await rows<{ position: number; state: string }>(
    tx,
    `SELECT position, state FROM event_deliveries WHERE consumer = 'commissions' AND position = ANY($1::bigint[])
     ORDER BY position FOR SHARE`,
    [causes.map(({ position }) => position)],
  );
  const dead = uncounted.find(({ state }) => state === 'DEAD');
  if (uncounted.length > 0 && !dead)
    throw new Error(
      `The ${type} of ${entityId} waits for event ${String(uncounted[0]?.position)} to be counted.`,
    );
  return dead?.position ?? null;
}
