import type { Consumer } from '../../../workflows/administration/domain-event/consumers.rules';
import { eventFailureProcess } from '../../../workflows/administration/domain-event/event-failure.contract';
import { driven } from '../driven';

/** The longest time in which the sweep starts a process that was lost, or that Temporal did not start. */
const SWEPT_WITHIN = `interval '1 hour'`;

/** Deliveries of events that a consumer could not apply. One that was applied has no row, and its process ends by itself. */
export const drivenEventFailures = driven(
  eventFailureProcess,
  {
    table: `(SELECT *, md5(consumer || ':' || position)::uuid AS id FROM event_deliveries) AS deliveries`,
    columns: 'consumer, position',
    entity: { sql: `consumer || ':' || position`, type: 'text' },
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
