import {
  ActivityFailure,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  sleep,
} from '@temporalio/workflow';
import { providerQueue } from '../../kit/queues';
import type {
  SandboxWebhookActivities,
  SandboxWebhookInput,
  SandboxWebhookResult,
} from './sandbox-webhook.contract';

const provider = proxyActivities<SandboxWebhookActivities>({
  taskQueue: providerQueue('sandbox'),
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '3 days',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * One report of the sandbox provider, delivered as another company would: again and again, for three days. It gives
 * up by itself instead of parking, because an operator of ours could not call another company's retry either.
 */
export async function sandboxWebhook({
  eventId,
  delayMs,
}: SandboxWebhookInput): Promise<SandboxWebhookResult> {
  if (delayMs > 0) {
    setCurrentDetails(`Held back for ${delayMs} ms, as the payer chose.`);
    await sleep(delayMs, { summary: 'the provider reports late' });
  }
  setCurrentDetails('Being delivered.');
  try {
    await provider.deliverSandboxEvent.executeWithOptions({ summary: `report ${eventId}` }, [{ eventId }]);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    setCurrentDetails(`Given up: the webhook address did not accept it. ${error.cause?.message ?? ''}`);
    return 'GIVEN_UP';
  }
  setCurrentDetails('Delivered.');
  return 'DELIVERED';
}
