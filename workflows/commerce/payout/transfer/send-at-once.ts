import { isCancellation } from '@temporalio/workflow';
import { now, quickProvider } from '../../../kit/proxies';
import type { PayoutProviderActivities, PayoutState } from '../payout.contract';
import { BY_HAND } from '../transfer-out.rules';

/** Tries to send the money while its administrator waits. What fails, or is not certain, is left to the process. */
export async function sendAtOnce(payoutId: string, { transfer }: PayoutState): Promise<void> {
  if (transfer === null || transfer.provider === BY_HAND) return;
  try {
    await quickProvider<PayoutProviderActivities>(transfer.provider).sendPayout({ payoutId, at: now() });
  } catch (error) {
    if (isCancellation(error)) throw error;
  }
}
