import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import type { DomainEvent } from './domain-event.model';
import type { EventDelivery } from './event-delivery.model';

/** An event that a consumer has not applied, without its data. */
export type UnsentEvent = Pick<Attributes<DomainEvent>, 'id' | 'type' | 'occurredAt'> &
  Pick<
    Attributes<EventDelivery>,
    'consumer' | 'position' | 'entityId' | 'state' | 'stateSince' | 'attempts' | 'dueAt' | 'lastError'
  > & {
    ageSeconds: number;
    /** True if it waits for an earlier event of its entity. */
    isHeldUp: boolean;
  };

/** WAITING: its consumer applies it by itself. PARKED: it has a process, which waits for a person. DEAD: a person gave it up. */
export type UnsentState = 'WAITING' | 'PARKED' | 'DEAD';

const OF_STATE: Record<UnsentState, { matching: string; order: string }> = {
  WAITING: { matching: `d.state = 'DUE'`, order: 'd.position, d.consumer' },
  PARKED: { matching: `d.state = 'PARKED'`, order: 'd.state_since, d.position, d.consumer' },
  DEAD: { matching: `d.state = 'DEAD'`, order: 'd.state_since, d.position, d.consumer' },
};

/** An earlier event of the entity is not applied or given up. A fragment. */
const IS_HELD_UP = `EXISTS (SELECT FROM event_deliveries w WHERE w.consumer = d.consumer AND w.entity_id = d.entity_id
  AND w.position < d.position AND w.state <> 'DEAD')`;

/** The position of an event; null: there is none. */
export const eventPosition = async (db: Db, id: string): Promise<number | null> =>
  (await firstRow<{ position: number }>(db, 'SELECT position FROM domain_events WHERE id = $1', [id]))
    ?.position ?? null;

/** Events that are counted at least, if so many match; on a later page, those up to the next page. */
const MOST_COUNTED = 10_000;

/** One page of the events in this state, oldest first; `total` counts them, up to a bound that no page reaches. */
export async function unsentEvents(
  db: Db,
  state: UnsentState,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; events: UnsentEvent[] }> {
  const { matching, order } = OF_STATE[state];
  const from = `FROM event_deliveries d WHERE ${matching}`;
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total
       FROM (SELECT 1 ${from} LIMIT ${Math.max(MOST_COUNTED, offset + limit + 1)}) AS counted`,
  );
  const events = await rows<UnsentEvent>(
    db,
    `SELECT e.id, e.type, e.occurred_at, d.*, ${IS_HELD_UP} AS is_held_up,
       greatest(extract(epoch FROM now() - e.occurred_at), 0)::float8 AS age_seconds
     FROM (SELECT * ${from} ORDER BY ${order} LIMIT $1 OFFSET $2) d JOIN domain_events e USING (position)
     ORDER BY ${order}`,
    [limit, offset],
  );
  return { total: counted?.total ?? 0, events };
}
