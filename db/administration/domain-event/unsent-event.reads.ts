import type { Attributes } from 'sequelize';
import { TAKEN_TYPES } from '../../partners/event/commission-event.transitions';
import { firstRow, rows, type Db } from '../../sql/query';
import type { DomainEvent } from './domain-event.model';

/** An event that the commission engine has not taken, without its data. */
export type UnsentEvent = Pick<
  Attributes<DomainEvent>,
  'id' | 'type' | 'entityId' | 'occurredAt' | 'attempts' | 'nextAttemptAt' | 'lastError' | 'parkedAt'
> & { ageSeconds: number };

/** WAITING: the engine takes it by itself. PARKED: it has a process of its own, which waits for a person. */
export type UnsentState = 'WAITING' | 'PARKED';

const OF_STATE: Record<UnsentState, { matching: string; order: string }> = {
  WAITING: {
    matching: `taken_at IS NULL AND parked_at IS NULL AND given_up_at IS NULL AND ${TAKEN_TYPES}`,
    order: 'occurred_at, id',
  },
  PARKED: {
    matching: 'parked_at IS NOT NULL AND taken_at IS NULL AND given_up_at IS NULL',
    order: 'parked_at, id',
  },
};

/** Events that are counted at least, if so many match; on a later page, those up to the next page. */
const MOST_COUNTED = 10_000;

/** One page of the events in this state, oldest first; `total` counts them, up to a bound that no page reaches. */
export async function unsentEvents(
  db: Db,
  state: UnsentState,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; events: UnsentEvent[] }> {
  const { matching, order } = OF_STATE[state];
  const from = `FROM domain_events WHERE ${matching}`;
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total
       FROM (SELECT 1 ${from} LIMIT ${Math.max(MOST_COUNTED, offset + limit + 1)}) AS counted`,
  );
  const events = await rows<UnsentEvent>(
    db,
    `SELECT id, type, entity_id, occurred_at, attempts, next_attempt_at, last_error, parked_at,
       greatest(extract(epoch FROM now() - occurred_at), 0)::float8 AS age_seconds
     ${from} ORDER BY ${order} LIMIT $1 OFFSET $2`,
    [limit, offset],
  );
  return { total: counted?.total ?? 0, events };
}
