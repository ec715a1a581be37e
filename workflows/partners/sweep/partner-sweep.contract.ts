import { defineProcess } from '../../kit/process';

/** The number of processes that the sweep started. */
export interface PartnerSweepResult {
  consumers: number;
  failures: number;
  entrances: number;
}

/** The last entrance fee of the batch before, by the order of their payment windows (ISO 8601). */
export interface EntranceSweepPosition {
  due: string;
  id: string;
}

/** `after`: null when there are no more. */
export interface EntranceSweepBatch {
  started: number;
  after: EntranceSweepPosition | null;
}

/**
 * Every minute: starts consumers of events that do not run, and the processes of events that they could not apply, and of
 * entrance fees past their payment window, that have none. One that runs, or waits for an operator, is left as it is.
 */
export const partnerSweepProcess = defineProcess<Record<string, never>, PartnerSweepResult>({
  type: 'partnerSweep',
  queue: 'batch',
  area: 'partners',
  id: () => 'partner-sweep',
  entityId: () => 'partner-sweep',
  summary: () => 'Consumers of events, parked events and entrance fees without a process',
  repeatable: true,
});

export interface PartnerSweepActivities {
  startEventConsumers: () => Promise<number>;
  startEventFailures: (sweep: { at: string }) => Promise<number>;
  /** Starts the processes of the next entrance fees that nobody cancelled after their payment window. */
  startForgottenEntrances: (sweep: {
    at: string;
    after: EntranceSweepPosition | null;
  }) => Promise<EntranceSweepBatch>;
}
