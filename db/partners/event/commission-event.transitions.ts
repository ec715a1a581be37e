import type { Attributes } from 'sequelize';
import type { DomainEvent } from '../../administration/domain-event/domain-event.model';
import type { CommissionEventResult } from '../../../workflows/partners/commission/commission-event.contract';
import { execute, firstRow, rows, type Db, type Tx } from '../../sql/query';

/** The types that the engine takes, as the queue's index names them. A fragment. */
export const TAKEN_TYPES = `type IN ('order.paid', 'refund.completed', 'refund.charged_back', 'chargeback.lost',
  'chargeback.returned', 'investment.created', 'profit.distributed', 'partner.joined', 'partner.activated', 'partner.ranked', 'entrance.paid')`;

/** The events that an engine has to take. A fragment. */
const IS_QUEUED = `taken_at IS NULL AND parked_at IS NULL AND given_up_at IS NULL AND ${TAKEN_TYPES}`;

/** The types of events that take back a part of a sale, or restore one. */
const TAKE_BACK: readonly string[] = [
  'refund.completed',
  'refund.charged_back',
  'chargeback.lost',
  'chargeback.returned',
];

/** The engine of an event: all events of one order belong to the same. A fragment. */
const ENGINE_OF = `(hashtext(entity_id::text) & 2147483647) % $1::int`;

export type QueuedEvent = Pick<
  Attributes<DomainEvent>,
  'id' | 'type' | 'entityId' | 'data' | 'occurredAt' | 'takenAt' | 'givenUpAt'
>;

const COLUMNS = 'id, type, entity_id, data, occurred_at, taken_at, given_up_at';

/**
 * The events of an engine that are due: the oldest ones, and some of the newest, which so do not wait behind those of years.
 * The engine takes them in this order.
 */
export async function dueEvents(
  db: Db,
  { engines, engine }: { engines: number; engine: number },
  limit: { oldest: number; newest: number },
): Promise<string[]> {
  const due = `${IS_QUEUED} AND (next_attempt_at IS NULL OR next_attempt_at <= now()) AND ${ENGINE_OF} = $2`;
  const found = await rows<{ id: string }>(
    db,
    `SELECT id FROM (
       (SELECT id, occurred_at FROM domain_events WHERE ${due} ORDER BY occurred_at, id LIMIT $3)
       UNION
       (SELECT id, occurred_at FROM domain_events WHERE ${due} ORDER BY occurred_at DESC, id DESC LIMIT $4)
     ) due ORDER BY occurred_at, id`,
    [engines, engine, limit.oldest, limit.newest],
  );
  return found.map(({ id }) => id);
}

/**
 * Locks the events without which one that takes back cannot be counted: the payment, and of the return of a chargeback also its
 * loss.
 */
function lockCauses(
  tx: Tx,
  { type, entityId, data }: Pick<QueuedEvent, 'type' | 'entityId' | 'data'>,
): Promise<QueuedEvent[]> {
  const references = [`order.paid:${entityId}`, `entrance.paid:${entityId}`];
  if (type === 'chargeback.returned') references.push(`chargeback.lost:${String(data['chargebackId'])}`);
  return rows<QueuedEvent>(
    tx,
    `SELECT ${COLUMNS} FROM domain_events
     WHERE reference = ANY($1::text[]) OR (entity_id = $2 AND type = 'investment.created')
     ORDER BY type = 'chargeback.lost', id FOR UPDATE`,
    [references, entityId],
  );
}

/**
 * Locks an event that nobody has taken or given up. A refund or a chargeback locks first the events that it depends on, taken or
 * not: those of one sale are so taken one by one, and nobody waits in the other order. Answers the event last; an empty list if
 * it is taken, being taken or given up.
 */
export async function lockEvent(tx: Tx, id: string): Promise<QueuedEvent[]> {
  const known = await firstRow<QueuedEvent>(
    tx,
    `SELECT ${COLUMNS} FROM domain_events
     WHERE id = $1 AND taken_at IS NULL AND given_up_at IS NULL AND ${TAKEN_TYPES}`,
    [id],
  );
  if (!known) return [];
  const causes = TAKE_BACK.includes(known.type) ? await lockCauses(tx, known) : [];
  const event = await rows<QueuedEvent>(
    tx,
    `SELECT ${COLUMNS} FROM domain_events
     WHERE id = $1 AND taken_at IS NULL AND given_up_at IS NULL FOR UPDATE SKIP LOCKED`,
    [id],
  );
  return event.length === 0 ? [] : [...causes, ...event];
}

/** Marks a locked event as taken. */
export async function markTaken(tx: Tx, id: string, at: Date): Promise<void> {
  await execute(
    tx,
    `UPDATE domain_events SET taken_at = $2, next_attempt_at = NULL WHERE id = $1 AND taken_at IS NULL`,
    [id, at],
  );
}

/**
 * Records a failed try of an event that is still queued: it is tried again after the wait, and parked after the last try. A
 * parked event is due to get its process. Answers whether it is parked now.
 */
export async function recordFailedTry(
  db: Db,
  id: string,
  { error, waitsMs, tries }: { error: string; waitsMs: readonly number[]; tries: number },
): Promise<boolean> {
  const failed = await firstRow<{ parkedAt: Date | null }>(
    db,
    `UPDATE domain_events SET attempts = attempts + 1, last_error = left($2, 1000),
       next_attempt_at = now() + interval '1 millisecond' * coalesce(($3::bigint[])[attempts + 1], 0),
       parked_at = CASE WHEN attempts + 1 >= $4 THEN now() END
     WHERE id = $1 AND ${IS_QUEUED} RETURNING parked_at`,
    [id, error, waitsMs, tries],
  );
  return failed?.parkedAt != null;
}

/**
 * Gives up an event that is not taken, and with a payment the refunds and chargebacks of it, which have nothing to take back.
 * Answers whether it is given up now; false: it is taken.
 */
export async function giveUpEvent(tx: Tx, id: string): Promise<boolean> {
  await execute(
    tx,
    `UPDATE domain_events SET given_up_at = now(), next_attempt_at = NULL
     WHERE id = $1 AND taken_at IS NULL AND given_up_at IS NULL`,
    [id],
  );
  // Behind the payment's lock, which those events take first.
  await execute(
    tx,
    `UPDATE domain_events r SET given_up_at = p.given_up_at, next_attempt_at = NULL
     FROM domain_events p
     WHERE p.id = $1 AND p.type IN ('order.paid', 'investment.created') AND p.given_up_at IS NOT NULL
       AND r.entity_id = p.entity_id AND r.type IN ('refund.completed', 'refund.charged_back', 'chargeback.lost')
       AND r.taken_at IS NULL AND r.given_up_at IS NULL`,
    [id],
  );
  const event = await firstRow<{ givenUpAt: Date | null }>(
    tx,
    'SELECT given_up_at FROM domain_events WHERE id = $1',
    [id],
  );
  return event?.givenUpAt != null;
}

/** The outcome of an event; null while it is neither taken nor given up. */
export async function eventOutcome(db: Db, id: string): Promise<CommissionEventResult | null> {
  const event = await firstRow<Pick<QueuedEvent, 'takenAt' | 'givenUpAt'>>(
    db,
    'SELECT taken_at, given_up_at FROM domain_events WHERE id = $1',
    [id],
  );
  if (!event) throw new Error(`There is no event ${id}.`);
  if (event.takenAt !== null) return 'TAKEN';
  return event.givenUpAt === null ? null : 'GIVEN_UP';
}

/**
 * Parked events that are neither taken nor given up, those first whose process was looked for the longest time ago:
 * `next_attempt_at` is the time of that.
 */
export async function parkedEvents(db: Db, parkedBefore: Date, limit: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `SELECT id FROM domain_events
     WHERE parked_at < $1 AND taken_at IS NULL AND given_up_at IS NULL
     ORDER BY next_attempt_at NULLS FIRST, parked_at, id LIMIT $2`,
    [parkedBefore, limit],
  );
  return found.map(({ id }) => id);
}

/** Records that parked events have their processes now. */
export async function markParkedStarted(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await execute(
    db,
    `UPDATE domain_events SET next_attempt_at = now()
     WHERE id = ANY($1::uuid[]) AND parked_at IS NOT NULL AND taken_at IS NULL AND given_up_at IS NULL`,
    [ids],
  );
}
