import { defineProcess } from '../../kit/process';

export interface ReconciliationInput {
  provider: string;
  /** YYYY-MM-DD, in UTC. */
  day: string;
}

/** ABANDONED: an operator gave it up; it can be started again. `differences`: those that are open afterwards, of any day. */
export interface ReconciliationResult {
  status: 'DONE' | 'ABANDONED';
  differences: number;
}

/**
 * The comparison of one day of a provider's statement with ours. Started again after its end it reads and compares the day
 * again; what it posts, it posts once.
 */
export const reconciliationProcess = defineProcess<ReconciliationInput, ReconciliationResult>({
  type: 'reconciliation',
  queue: 'batch',
  area: 'commerce',
  id: ({ provider, day }) => `reconciliation:${provider}:${day}`,
  entityId: ({ provider, day }) => `${provider}:${day}`,
  summary: ({ provider, day }) => `${day} · the statement of ${provider} against ours`,
  repeatable: true,
  parks: true,
});

/** One reading of a day. Only the latest of a day is recorded. */
export interface Reading {
  runId: string;
  reading: number;
}

export interface ReconciliationActivities {
  /** Begins to read a day. Fails for good when it has not ended an hour before `at`, or lies too far back. */
  beginReading: (day: ReconciliationInput & { at: string }) => Promise<Reading>;
}

export interface StatementActivities {
  /**
   * Reads some pages of a provider's statement behind a cursor (null: from the start of the day) and records what they say, page
   * by page. Returns the cursor to go on behind; null at the end.
   */
  readStatement: (
    reading: Reading & ReconciliationInput & { cursor: string | null },
  ) => Promise<{ cursor: string | null }>;
}

export interface ComparisonActivities {
  /**
   * Books the fees of a day that was read, compares it with our records, and completes the run, in one transaction. `differences`:
   * null, and nothing changed, while another day of the provider is compared; it is to be requested again later.
   */
  compareDay: (
    reading: Reading & ReconciliationInput & { at: string },
  ) => Promise<{ differences: number | null }>;
}
