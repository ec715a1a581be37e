import { defineProcess } from '../../kit/process';

/** How many rows one run forgot, by kind. */
export interface Forgotten {
  idempotencyKeys: number;
  sessions: number;
  /** Codes that were sent, half-done sign-ins, and second factors that were set up and never verified. */
  signInCodes: number;
  carts: number;
  catalogueChanges: number;
  /** Registrations and password resets that were requested and never completed. */
  accountRequests: number;
  /** Addresses and browsers of visitors by referral; the visits stay. */
  touches: number;
  /** Messages that were sent or given up. */
  outboxMessages: number;
  /** Texts of providers' reports; their hashes and ids stay. */
  webhookBodies: number;
  /** What the sandbox provider knew of payments that are settled. */
  sandboxRows: number;
  blobs: number;
}

/** Forgets what is kept for a time only; `db/administration/retention/retention.rules.ts` says how long, and what is kept for good. */
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
