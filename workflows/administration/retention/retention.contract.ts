import { defineProcess } from '../../kit/process';

/** The number of rows that one run deleted or emptied, by kind. */
export interface Forgotten {
  idempotencyKeys: number;
  sessions: number;
  /** Sent codes, unfinished sign-ins, and second factors that were never verified. */
  signInCodes: number;
  carts: number;
  catalogueChanges: number;
  /** Registrations and password resets that were never completed. */
  accountRequests: number;
  /** Addresses and browsers of referred visitors; the referrals stay. */
  touches: number;
  /** Texts and addresses of requests that were carried out or refused. */
  requestNotes: number;
  /** Messages sent or given up. */
  outboxMessages: number;
  /** Bodies of providers' reports; their hashes and ids stay. */
  payoutDetails: number;
  webhookBodies: number;
  /** Movements that payment providers named, of days that are compared no more. */
  providerMovements: number;
  /** Rows of the sandbox provider about settled payments. */
  sandboxRows: number;
  /** What runs of jobs have done. */
  jobRuns: number;
  /** Identity verifications whose documents and personal data are no longer kept. */
  verifications: number;
  /** Files that were replaced, or that no row claimed. */
  blobs: number;
  /** Files older than a day that no row knows. */
  strayBlobs: number;
}

/** Deletes expired data; `db/administration/retention/retention.rules.ts` has the periods, and what is kept for good. */
export const retentionProcess = defineProcess<Record<string, never>, Forgotten>({
  type: 'retention',
  queue: 'batch',
  area: 'administration',
  id: () => 'retention',
  entityId: () => 'retention',
  summary: () => 'Deletion of expired data',
});

export interface RetentionActivities {
  /** Deletes the data that are expired at `at` (ISO 8601). */
  forget: (moment: { at: string }) => Promise<Forgotten>;
}
