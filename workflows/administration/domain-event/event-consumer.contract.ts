import { defineProcess } from '../../kit/process';
import type { Consumer } from './consumers.rules';

export interface EventConsumerInput {
  consumer: Consumer;
}

/** Applies the events of one consumer, without end: one process for all workers. */
export const eventConsumerProcess = defineProcess<EventConsumerInput, never>({
  type: 'eventConsumer',
  queue: 'batch',
  area: 'administration',
  id: ({ consumer }) => `event-consumer:${consumer}`,
  entityId: ({ consumer }) => consumer,
  repeatable: true,
  summary: ({ consumer }) => `Consumer of events: ${consumer}`,
});

/** The outcomes of one stretch, as counts of deliveries. */
export interface ConsumingResult {
  applied: number;
  /** Tries that failed and will be repeated. */
  failed: number;
  /** Deliveries given to a process of their own. */
  parked: number;
  /** Deliveries given up with an earlier event that a person has given up. */
  dead: number;
}

export interface EventConsumerActivities {
  /** Applies the consumer's events until `forMs` have passed or it is cancelled; ends between events. */
  applyEvents: (stretch: { consumer: Consumer; forMs: number }) => Promise<ConsumingResult>;
}
