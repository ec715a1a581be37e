import { defineProcess } from '../../kit/process';

/** The number of processes that the sweep started. */
export interface TopUpSweepResult {
  started: number;
}

/** The last top-up of the batch before, by the order of their payment windows (ISO 8601). */
export interface TopUpSweepPosition {
  due: string;
  id: string;
}

/** `after`: null when there are no more. */
export interface TopUpSweepBatch {
  started: number;
  after: TopUpSweepPosition | null;
}

/**
 * Hourly: starts the processes of top-ups past their payment window that have none any more, because it was lost or abandoned.
 * One that runs, or waits for an operator, is left as it is.
 */
export const topUpSweepProcess = defineProcess<Record<string, never>, TopUpSweepResult>({
  type: 'topUpSweep',
  queue: 'batch',
  area: 'ledger',
  id: () => 'top-up-sweep',
  entityId: () => 'top-up-sweep',
  summary: () => 'Top-ups that nobody follows any more',
  repeatable: true,
});

export interface TopUpSweepActivities {
  /** Starts the processes of the next top-ups that nobody cancelled after their payment window. */
  startForgottenTopUps: (sweep: { at: string; after: TopUpSweepPosition | null }) => Promise<TopUpSweepBatch>;
}
