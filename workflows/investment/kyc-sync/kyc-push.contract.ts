import { defineProcess } from '../../kit/process';

/** The number of users whose verification the provider accepted, or refused. */
export interface KycPushResult {
  accepted: number;
  refused: number;
}

/** The position of a run, with which it continues in a new history. */
export interface KycPushProgress extends KycPushResult {
  /** ISO 8601: the start of the run. */
  at: string;
  /** The last user of the batch before; null at the beginning. */
  after: string | null;
  /** The most users of the next message; null: as many as fit. */
  size: number | null;
  /** Batches that were refused as a whole since something was accepted. */
  refusedInARow: number;
}

export interface KycPushInput {
  providerCode: string;
  /** The scheduled time, such as 2026-11-23T06. */
  slot: string;
  /** Set only when the process continues as new. */
  progress?: KycPushProgress;
}

/** Tells one provider what has changed in the verification of its users. */
export const kycPushProcess = defineProcess<KycPushInput, KycPushResult, 'providerCode' | 'slot'>({
  type: 'kycPush',
  queue: 'batch',
  area: 'investment',
  id: ({ providerCode, slot }) => `kyc-sync:${providerCode}:${slot}`,
  entityId: ({ providerCode }) => providerCode,
  summary: ({ providerCode, slot }) => `Identity verifications to ${providerCode} · ${slot}`,
  repeatable: true,
});

/** A run, and the user behind whom the batch begins, by id. */
export interface KycPushBatch {
  providerCode: string;
  at: string;
  after: string | null;
  /** The most users of its first message; null: as many as fit. */
  size: number | null;
}

export interface KycPushBatchResult extends KycPushResult {
  /** The user behind whom the next batch begins; null if there are no more. */
  after: string | null;
  /** The most users of the first message of the next batch; null: as many as fit. */
  size: number | null;
  /** True if the provider refused whatever it was told, except of users whom it had refused before. */
  isRefusing: boolean;
}

export interface KycPushActivities {
  /** Records that a run begins. */
  beginKycPush: (run: { providerCode: string; slot: string; at: string }) => Promise<void>;
  /** Records that a run has ended; `isWhole`: at the last user. */
  endKycPush: (run: { providerCode: string; at: string; isWhole: boolean }) => Promise<void>;
}

export interface KycPushProviderActivities {
  /**
   * Sends the next batch of changed users, and marks those whom the provider accepts; a batch whose content is refused is
   * halved, so that one user stops no other, and whom it refuses alone is requested once in a run. Ends by time: who is left
   * is in the next batch. Sent again with the same content, it has the same webhook-id. Fails while its outcome is unknown.
   */
  pushKycBatch: (batch: KycPushBatch) => Promise<KycPushBatchResult>;
}
