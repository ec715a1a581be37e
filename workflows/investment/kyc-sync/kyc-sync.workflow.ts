import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { KycSyncActivities, KycSyncResult } from './kyc-sync.contract';
import { slotOf } from './kyc-sync.rules';

const { startKycPushes } = proxyActivities<KycSyncActivities>({
  startToCloseTimeout: '5 minutes',
  scheduleToCloseTimeout: '1 hour',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute', maximumAttempts: 20 },
});

/** One run. It waits for no push; the next slot makes up for one that failed, since changes are found in the rows. */
export async function kycSync(): Promise<KycSyncResult> {
  const slot = slotOf(workflowInfo().startTime);
  const { started } = await startKycPushes({ slot });
  setCurrentDetails(`Pushes of ${slot} that were started: ${started}`);
  return { started };
}
