import {
  abandonDelivery,
  parkedDelivery,
  retryDelivery,
} from '../../../db/administration/domain-event/event-delivery.transitions';
import { inTransaction } from '../../../db/sql/transaction';
import type { EventConsumerActivities } from '../../../workflows/administration/domain-event/event-consumer.contract';
import type { EventFailureActivities } from '../../../workflows/administration/domain-event/event-failure.contract';
import { applyEvents, type ConsumingDeps } from './apply-events';

/** The steps of the consumers of events, and of deliveries that they could not apply. */
export const eventConsumerActivities = (
  deps: ConsumingDeps,
): EventConsumerActivities & EventFailureActivities => ({
  applyEvents: (stretch) => applyEvents(deps, stretch),
  parkedDelivery: (delivery) => parkedDelivery(deps.db, delivery),
  retryDelivery: (delivery) => inTransaction(deps.db, (tx) => retryDelivery(tx, delivery)),
  abandonDelivery: (delivery) => inTransaction(deps.db, (tx) => abandonDelivery(tx, delivery)),
});
