import type { Consumer } from '../../../workflows/administration/domain-event/consumers.rules';
import { eventFailureProcess } from '../../../workflows/administration/domain-event/event-failure.contract';
import { driven } from '../driven';

/** The longest time in which the sweep starts a process that was lost, or that Temporal did not start. */
const SWEPT_WITHIN = `interval '1 hour'`;

/** The entity that the process of a delivery carries. */
const ENTITY = `consumer || ':' || position::text`;

/** Deliveries of events that a consumer could not apply. One that was applied has no row, and its process ends by itself. */
export const drivenEventFailures = driven(
  eventFailureProcess,
  {
    // The condition and the entity are those of event_deliveries_process_idx; a delivery that never failed has no process.
    table: `(SELECT *, md5(${ENTITY})::uuid AS id FROM event_deliveries WHERE state <> 'DUE' OR attempts > 0) AS deliveries`,
    columns: 'consumer, position',
    entity: { sql: ENTITY, type: 'text' },
    open: {
      where: `state = 'PARKED' AND due_at < now() - ${SWEPT_WITHIN}`,
      detail: `format('event %s is PARKED', position)`,
      since: 'state_since',
    },
    settled: {
      where: `(state = 'DEAD' OR state = 'DUE' AND attempts > 0)`,
      detail: `format('event %s is %s', position, state)`,
      since: 'state_since',
    },
  },
  ({ consumer = '', position = '' }) => ({ consumer: consumer as Consumer, position: Number(position) }),
);
