import { defineProcess } from '../../kit/process';

/** The number of providers whose push was started. */
export interface KycSyncResult {
  started: number;
}

/** Every six hours: starts a push of identity verifications to each provider, so that one that fails stops no other. */
export const kycSyncProcess = defineProcess<Record<string, never>, KycSyncResult>({
  type: 'kycSync',
  queue: 'batch',
  area: 'investment',
  id: () => 'kyc-sync',
  entityId: () => 'kyc-sync',
  summary: () => 'Identity verifications to investment providers',
  repeatable: true,
});

export interface KycSyncActivities {
  /** Starts the push of a slot for each active provider with an API; one that runs already goes on. */
  startKycPushes: (slot: { slot: string }) => Promise<{ started: number }>;
}
