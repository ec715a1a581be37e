import type { DeliveredEvent } from '../../../db/administration/domain-event/event-delivery.transitions';
import type { Tx } from '../../../db/sql/query';
import type { Consumer } from '../../../workflows/administration/domain-event/consumers.rules';

/**
 * Does in the transaction that ends the delivery all that follows from an event for one consumer, and nothing outside the database.
 * Returns null; or the position of an earlier event that was given up, with which this one is given up: its delivery is DEAD and
 * locked. Whatever it throws is a failed try.
 */
export type Effect = (tx: Tx, event: DeliveredEvent, at: Date) => Promise<number | null>;

/** The effects of all consumers. */
export type Effects = Readonly<Record<Consumer, Effect>>;
