import { defineProcess } from '../../kit/process';

/** The number of processes that the sweep started. */
export interface PartnerSweepResult {
  engines: number;
  events: number;
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
 * Every minute: starts commission engines that do not run, and the processes of parked events, and of entrance fees past
 * their payment window, that have none. One that runs, or waits for an operator, is left as it is.
 */
export const partnerSweepProcess = defineProcess<Record<string, never>, PartnerSweepResult>({
  type: 'partnerSweep',
  queue: 'batch',
  area: 'partners',
  id: () => 'partner-sweep',
  entityId: () => 'partner-sweep',
  summary: () => 'Commission engines, parked events and entrance fees without a process',
  repeatable: true,
});

export interface PartnerSweepActivities {
  startCommissionEngines: () => Promise<number>;
  startParkedEvents: (sweep: { at: string }) => Promise<number>;
  /** Starts the processes of the next entrance fees that nobody cancelled after their payment window. */
  startForgottenEntrances: (sweep: {
    at: string;
    after: EntranceSweepPosition | null;
  }) => Promise<EntranceSweepBatch>;
}
