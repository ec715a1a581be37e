import {
  abandonDelivery,
  parkedDelivery,
  retryDelivery,
} from '../../../db/administration/domain-event/event-delivery.transitions';
import { inTransaction } from '../../../db/sql/transaction';
import type { EventConsumerActivities } from '../../../workflows/administration/domain-event/event-consumer.contract';
import type { EventFailureActivities } from '../../../workflows/administration/domain-event/event-failure.contract';
import { steps } from '../../steps';
import { applyEvents, type ConsumingDeps } from './apply-events';

type Activities = EventConsumerActivities & EventFailureActivities;

/** The steps of the consumers of events, and of deliveries that they could not apply. */
export const eventConsumerActivities = (deps: ConsumingDeps): Activities =>
  steps<Activities, ConsumingDeps>(deps, {
    applyEvents,
    parkedDelivery: ({ db }, delivery) => parkedDelivery(db, delivery),
    retryDelivery: ({ db }, delivery) => inTransaction(db, (tx) => retryDelivery(tx, delivery)),
    abandonDelivery: ({ db }, delivery) => inTransaction(db, (tx) => abandonDelivery(tx, delivery)),
  });
