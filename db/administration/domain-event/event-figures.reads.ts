import {
  CONSUMER_NAMES,
  type Consumer,
} from '../../../workflows/administration/domain-event/consumers.rules';
import { firstRow, type Tx } from '../../sql/query';
import { IS_NEXT } from './event-delivery.transitions';

/** The deliveries of one consumer that wait. */
export interface EventFigures {
  consumer: Consumer;
  /** The time for which the next event has been due; 0: none is. */
  oldestDueSeconds: number;
  /** The position of that event, which changes while events are applied; 0: none is due. */
  oldestDuePosition: number;
  /** DUE ones, `MOST_WAITING` at most. */
  waiting: number;
  /** Events that could not be applied; each has a process that waits for a person. */
  parked: number;
}

const MOST_WAITING = 100_000;

const FIGURES = `SELECT coalesce(next.position, 0)::bigint AS oldest_due_position,
    coalesce(extract(epoch FROM now() - next.due_at), 0)::float8 AS oldest_due_seconds,
    (SELECT count(*)::int FROM (SELECT 1 FROM event_deliveries w WHERE w.consumer = $1 AND w.state = 'DUE'
      LIMIT ${String(MOST_WAITING)}) waiting) AS waiting,
    (SELECT count(*)::int FROM event_deliveries p WHERE p.consumer = $1 AND p.state = 'PARKED') AS parked
  FROM (SELECT 1) AS one
  LEFT JOIN (SELECT d.position, d.due_at FROM event_deliveries d WHERE ${IS_NEXT} ORDER BY d.position LIMIT 1) AS next ON true`;

/** The figures of every consumer. */
export async function eventFigures(tx: Tx): Promise<EventFigures[]> {
  const figures: EventFigures[] = [];
  for (const consumer of CONSUMER_NAMES) {
    const found = await firstRow<Omit<EventFigures, 'consumer'>>(tx, FIGURES, [consumer]);
    if (found) figures.push({ consumer, ...found });
  }
  return figures;
}
