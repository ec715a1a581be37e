import type { Variables } from '../../support/worlds/variables';

/** The settings of the programs of a stack that differ from the defaults. */
export const SETTINGS: Variables = {
  DATABASE_POOL_MAX: '10',
  WORKER_POOL_MAX: '20',
  ACCESS_TOKEN_SECONDS: '3600',
  DRAIN_DELAY_MS: '500',
  PARTNER_ENTRANCE_FEE: '20',
  POLICY_EVENT_CONCURRENCY: '2',
  // A run has several batches, between which it can be killed.
  POLICY_COMMISSION_BATCH: '5',
  POLICY_POOL_BATCH: '2',
  POLICY_POOL_SETTLE_MINUTES: '1',
};
