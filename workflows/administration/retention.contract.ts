import { defineProcess } from '../process';

/** How many rows one run forgot, by kind. */
export interface Forgotten {
  idempotencyKeys: number;
  sessions: number;
  carts: number;
  catalogueChanges: number;
}

/** Forgets what is kept for a time only. Ledger, orders and audit trail are kept for ever. */
export const retentionProcess = defineProcess<Record<string, never>, Forgotten>({
  type: 'retention',
  queue: 'batch',
  area: 'administration',
  id: () => 'retention',
  entityId: () => 'retention',
  summary: () => 'What is kept for a time only',
});

export interface RetentionActivities {
  /** Deletes what is over its time at `at` (ISO 8601). */
  forget: (moment: { at: string }) => Promise<Forgotten>;
}
