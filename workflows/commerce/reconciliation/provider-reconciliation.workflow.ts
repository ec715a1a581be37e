import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import { scheduledFor } from '../../kit/proxies';
import type {
  ProviderReconciliationActivities,
  ProviderReconciliationResult,
} from './provider-reconciliation.contract';

const { startReconciliations } = proxyActivities<ProviderReconciliationActivities>({
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '6 hours',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute', maximumAttempts: 100 },
});

/** One run of the schedule. */
export async function providerReconciliation(): Promise<ProviderReconciliationResult> {
  const { started } = await startReconciliations({ at: scheduledFor() });
  setCurrentDetails(
    started.length === 0 ? 'No day was due.' : `Days that are compared: ${started.join(', ')}`,
  );
  return { started };
}
