import { defineProcess } from '../../kit/process';
import type { Consumer } from './consumers.rules';

/** The delivery of one event to one consumer. */
export interface DeliveryRef {
  consumer: Consumer;
  /** The position of the event. */
  position: number;
}

/**
 * The delivery as the process leaves it. `DUE`: its consumer tries it again, and parks it again if that fails. `DEAD`: given up.
 * `APPLIED`: there is none any more.
 */
export type EventFailureResult = 'DUE' | 'DEAD' | 'APPLIED';

/**
 * The delivery of an event that its consumer could not apply: it waits for a person, and later events of the same entity wait with
 * it. It is started again for each time that the delivery is parked.
 */
export const eventFailureProcess = defineProcess<DeliveryRef, EventFailureResult>({
  type: 'eventFailure',
  queue: 'batch',
  area: 'administration',
  id: ({ consumer, position }) => `event-failure:${consumer}:${String(position)}`,
  entityId: ({ consumer, position }) => `${consumer}:${String(position)}`,
  summary: ({ consumer, position }) => `Event ${String(position)} that ${consumer} could not apply`,
  repeatable: true,
  parks: true,
  // One that was applied has no row, and its process ends by itself.
  drives: {
    table: 'event_deliveries',
    name: 'position',
    key: { consumer: 'consumer', position: 'position' },
    column: 'state',
    open: ['PARKED'],
    since: 'state_since',
    // The sweep starts a process that was lost, or that Temporal did not start.
    startedWithin: { column: 'due_at', minutes: 60 },
  },
});

/** A parked delivery as it is read. */
export interface ParkedDelivery {
  attempts: number;
  lastError: string;
}

export interface EventFailureActivities {
  /** Reads a parked delivery; else its state. */
  parkedDelivery: (delivery: DeliveryRef) => Promise<ParkedDelivery | EventFailureResult>;
  /** Makes a parked delivery due again. Returns its state, whether or not it was parked. */
  retryDelivery: (delivery: DeliveryRef) => Promise<EventFailureResult>;
  /** Gives a parked delivery up, so that later events of its entity go on. Returns its state, whether or not it was parked. */
  abandonDelivery: (delivery: DeliveryRef) => Promise<EventFailureResult>;
}
