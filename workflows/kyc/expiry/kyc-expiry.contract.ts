import { defineProcess } from '../../kit/process';

/** The number of verifications that one run ended, and of users whom it told that theirs ends soon. */
export interface KycExpiryResult {
  expired: number;
  told: number;
}

/** The position of a run, with which it continues in a new history. */
export interface KycExpiryProgress extends KycExpiryResult {
  /** ISO 8601: the time of the run. */
  at: string;
  step: 'EXPIRE' | 'TELL';
  /** The last verification of the batch before; null at the beginning of a step. */
  after: string | null;
  /** Verifications that could not be changed, some of them if they are many; left out if there are none. */
  failed?: string[];
}

export interface KycExpiryInput {
  /** Left out by the schedule. */
  progress?: KycExpiryProgress;
}

/** Daily: approvals whose time is over end, and users are told POLICY_KYC_NOTICE_DAYS ahead. */
export const kycExpiryProcess = defineProcess<KycExpiryInput, KycExpiryResult>({
  type: 'kycExpiry',
  queue: 'batch',
  area: 'kyc',
  id: () => 'kyc-expiry',
  entityId: () => 'kyc-expiry',
  summary: () => 'Expiry of identity verifications',
  repeatable: true,
});

/** A batch of verifications, by the order of their expiry. */
export interface KycExpiryBatch {
  at: string;
  after: string | null;
}

export interface KycExpiryBatchResult {
  changed: number;
  /** The last verification of the batch; null if there are no more. */
  after: string | null;
  /** The verifications that could not be changed; left out if there are none. */
  failed?: string[];
}

/** Each verification is one transaction that changes nothing when it is run again. */
export interface KycExpiryActivities {
  /** Ends approvals whose time is over at `at`; the level of their users falls to BASIC. */
  expireVerifications: (batch: KycExpiryBatch) => Promise<KycExpiryBatchResult>;
  /** Tells users whose approval ends soon, each once. */
  tellOfExpiry: (batch: KycExpiryBatch) => Promise<KycExpiryBatchResult>;
}
