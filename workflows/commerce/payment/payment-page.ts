import { ActivityFailure, isCancellation, log } from '@temporalio/workflow';
import { quickProvider } from '../../kit/proxies';
import type { PaymentOffer, PaymentPageActivities } from './payment-page.contract';

/**
 * Adds the payment page to an answer, where it has to be requested from a provider.
 * Chosen: when the provider refuses, which ends the attempt, or does not answer within a few seconds, the order stays and the
 * answer has no page; the buyer asks again by POST /orders/:id/pay, with the same or another method.
 */
export async function withPage<Answer extends { payment: PaymentOffer }>(answer: Answer): Promise<Answer> {
  const { pageToOpen, ...payment } = answer.payment;
  if (pageToOpen === undefined) return answer;
  const { attemptId, provider } = pageToOpen;
  try {
    const { paymentUrl } = await quickProvider<PaymentPageActivities>(provider).openPage.executeWithOptions(
      { summary: `page of attempt ${attemptId}` },
      [{ attemptId }],
    );
    return { ...answer, payment: { ...payment, paymentUrl } };
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    log.warn('answered without a page', { attemptId, error: error.cause?.message });
    return { ...answer, payment };
  }
}
