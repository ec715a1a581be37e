import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import { now } from '../../kit/proxies';
import type { WebhookSweepActivities, WebhookSweepResult } from './webhook-sweep.contract';

const batches = proxyActivities<WebhookSweepActivities>({
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 5 },
});

/** Enough for ten thousand events in one sweep; the rest waits for the next one. */
const MOST_ROUNDS = 50;

/** One sweep. It fails rather than parks when Temporal or the database is away: the next one comes in a minute. */
export async function webhookSweep(): Promise<WebhookSweepResult> {
  const at = now();
  // First, because it is the one thing here that nothing else revives soon, and no event may stop it.
  await batches.startOutboxSender();
  let { started } = await batches.startForgottenSandboxEvents({ at });
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const batch = await batches.startForgottenWebhooks({ at });
    started += batch.started;
    if (!batch.full) break;
  }
  started += (await batches.startForgottenCheckouts({ at })).started;
  setCurrentDetails(
    started === 0 ? 'Nothing had been forgotten.' : `Started ${started} that had been forgotten.`,
  );
  return { started };
}
