import { defineProcess } from '../../kit/process';

export interface CommissionEventInput {
  /** The row of the event. */
  eventId: string;
  /** In a later run: the tries that have failed. */
  failed?: number;
}

/** `TAKEN`: it is counted, by this process or another. `GIVEN_UP`: it is not counted any more. */
export type CommissionEventResult = 'TAKEN' | 'GIVEN_UP';

/**
 * An event that the engine could not count: tried again, and then by a person's decision. It is started again if it was lost
 * before that.
 */
export const commissionEventProcess = defineProcess<CommissionEventInput, CommissionEventResult>({
  type: 'commissionEvent',
  queue: 'batch',
  area: 'partners',
  id: ({ eventId }) => `commission-event:${eventId}`,
  entityId: ({ eventId }) => eventId,
  summary: ({ eventId }) => `Event ${eventId} that could not be counted`,
  repeatable: true,
});

export interface CommissionEventActivities {
  /** Takes an event, also a parked one, and answers what became of it. No-op if it is taken or given up. */
  takeParkedEvent: (event: CommissionEventInput) => Promise<CommissionEventResult>;
  /** Gives an event up for good, and with a payment its refunds. TAKEN if it was taken meanwhile. */
  giveUpEvent: (event: CommissionEventInput) => Promise<CommissionEventResult>;
}

/** The waits after failed tries of the engine to count an event, in milliseconds; after the last try it is parked. */
export const EVENT_WAITS_MS: readonly number[] = [1_000, 5_000, 30_000, 120_000];

/** Tries of the engine before an event gets a process of its own. */
export const EVENT_TRIES = EVENT_WAITS_MS.length + 1;
