import type { Attributes } from 'sequelize';
import type { Consumer } from '../../../workflows/administration/domain-event/consumers.rules';
import type {
  DeliveryRef,
  EventFailureResult,
  ParkedDelivery,
} from '../../../workflows/administration/domain-event/event-failure.contract';
import { execute, firstRow, rows, type Db, type Tx } from '../../sql/query';
import type { DomainEvent } from './domain-event.model';
import type { EventDelivery } from './event-delivery.model';

/** An event as its consumers get it. */
export type DeliveredEvent = Pick<
  Attributes<DomainEvent>,
  'position' | 'id' | 'type' | 'entityId' | 'data' | 'occurredAt'
>;

/** Deliveries `d` of consumer `$1` that nothing holds up: no earlier event of the entity waits. A fragment. */
export const IS_NEXT = `d.consumer = $1 AND d.state = 'DUE' AND d.due_at <= now() AND NOT EXISTS (SELECT 1 FROM event_deliveries e
  WHERE e.consumer = d.consumer AND e.entity_id = d.entity_id AND e.position < d.position AND e.state <> 'DEAD')`;

/**
 * Locks a due delivery that no other transaction has locked: the first, or the last of those that nothing holds up. Its consumer
 * ends it in the same transaction. Returns its event; null if none is due.
 */
export function lockNext(tx: Tx, consumer: Consumer, end: 'first' | 'last'): Promise<DeliveredEvent | null> {
  return firstRow<DeliveredEvent>(
    tx,
    `WITH next AS MATERIALIZED (SELECT d.position FROM event_deliveries d WHERE ${IS_NEXT}
       ORDER BY d.position ${end === 'first' ? 'ASC' : 'DESC'} LIMIT 1 FOR UPDATE OF d SKIP LOCKED)
     SELECT position, id, type, entity_id, data, occurred_at FROM next JOIN domain_events USING (position)`,
    [consumer],
  );
}

/** Ends a locked delivery, in the transaction of all that follows from its event. */
export async function endDelivery(tx: Tx, { consumer, position }: DeliveryRef): Promise<void> {
  await execute(tx, 'DELETE FROM event_deliveries WHERE consumer = $1 AND position = $2', [
    ...[consumer, position],
  ]);
}

/** Gives a locked delivery up with an earlier event, whose delivery is DEAD and locked. */
export async function endWith(tx: Tx, { consumer, position }: DeliveryRef, earlier: number): Promise<void> {
  await execute(
    tx,
    `UPDATE event_deliveries SET state = 'DEAD', state_since = now(), dead_with = $3
     WHERE consumer = $1 AND position = $2`,
    [consumer, position, earlier],
  );
}

/**
 * Records a failed try: the delivery is due again after the wait, and parked after the last try. Returns whether it is parked now;
 * false if another transaction has ended it.
 */
export async function recordFailedTry(
  db: Db,
  { consumer, position }: DeliveryRef,
  { error, waitsMs, tries }: { error: string; waitsMs: readonly number[]; tries: number },
): Promise<boolean> {
  const failed = await firstRow<Pick<Attributes<EventDelivery>, 'state'>>(
    db,
    `UPDATE event_deliveries SET attempts = attempts + 1, last_error = left($3, 1000),
       due_at = now() + interval '1 millisecond' * coalesce(($4::bigint[])[attempts + 1], 0),
       state = CASE WHEN attempts + 1 >= $5 THEN 'PARKED' ELSE state END,
       state_since = CASE WHEN attempts + 1 >= $5 THEN now() ELSE state_since END
     WHERE consumer = $1 AND position = $2 AND state = 'DUE' RETURNING state`,
    [consumer, position, error, waitsMs, tries],
  );
  return failed?.state === 'PARKED';
}

/** Reads a parked delivery; the state of one that is not. */
export async function parkedDelivery(
  db: Db,
  { consumer, position }: DeliveryRef,
): Promise<ParkedDelivery | EventFailureResult> {
  const found = await firstRow<ParkedDelivery & Pick<Attributes<EventDelivery>, 'state'>>(
    db,
    `SELECT state, attempts, coalesce(last_error, '') AS last_error
     FROM event_deliveries WHERE consumer = $1 AND position = $2`,
    [consumer, position],
  );
  if (!found) return 'APPLIED';
  const { state, ...parked } = found;
  return state === 'PARKED' ? parked : state;
}

/** Locks a delivery; returns its state, APPLIED if there is none. */
export async function lockState(
  tx: Tx,
  { consumer, position }: DeliveryRef,
): Promise<Attributes<EventDelivery>['state'] | 'APPLIED'> {
  const found = await firstRow<Pick<Attributes<EventDelivery>, 'state'>>(
    tx,
    'SELECT state FROM event_deliveries WHERE consumer = $1 AND position = $2 FOR UPDATE',
    [consumer, position],
  );
  return found?.state ?? 'APPLIED';
}

/** Makes a parked delivery due again. Returns its state. */
export async function retryDelivery(tx: Tx, delivery: DeliveryRef): Promise<EventFailureResult> {
  const state = await lockState(tx, delivery);
  if (state !== 'PARKED') return state;
  await execute(
    tx,
    `UPDATE event_deliveries SET state = 'DUE', state_since = now(), due_at = now() WHERE consumer = $1 AND position = $2`,
    [delivery.consumer, delivery.position],
  );
  return 'DUE';
}

/** Gives a parked delivery up, which lets later events of its entity go on. Returns its state. */
export async function abandonDelivery(tx: Tx, delivery: DeliveryRef): Promise<EventFailureResult> {
  const state = await lockState(tx, delivery);
  if (state !== 'PARKED') return state;
  await execute(
    tx,
    `UPDATE event_deliveries SET state = 'DEAD', state_since = now() WHERE consumer = $1 AND position = $2`,
    [delivery.consumer, delivery.position],
  );
  return 'DEAD';
}

/**
 * Parked deliveries, those first whose process was looked for the longest time ago: `due_at` is the time of that.
 */
export function parkedDeliveries(db: Db, parkedBefore: Date, limit: number): Promise<DeliveryRef[]> {
  return rows<DeliveryRef>(
    db,
    `SELECT consumer, position FROM event_deliveries WHERE state = 'PARKED' AND state_since < $1
     ORDER BY due_at, position LIMIT $2`,
    [parkedBefore, limit],
  );
}

/** Records that parked deliveries have their processes now. */
export async function markFailuresStarted(db: Db, deliveries: readonly DeliveryRef[]): Promise<void> {
  if (deliveries.length === 0) return;
  await execute(
    db,
    `UPDATE event_deliveries d SET due_at = now()
     FROM unnest($1::text[], $2::bigint[]) AS started (consumer, position)
     WHERE d.consumer = started.consumer AND d.position = started.position AND d.state = 'PARKED'`,
    [deliveries.map(({ consumer }) => consumer), deliveries.map(({ position }) => position)],
  );
}
