import { ActivityFailure, ApplicationFailure, isCancellation, log } from '@temporalio/workflow';
import { businessRefusal } from '../../errors';
import { quickProvider } from '../../kit/proxies';
import { PAGE_REFUSED, type PaymentOffer, type PaymentPageActivities } from './payment-page.contract';

/**
 * Adds the payment page to an answer, where it has to be requested from a provider.
 * Chosen: when the provider refuses, which ends the attempt, or does not answer within a few seconds, the answer has no page
 * and says whether it was refused (`isRefused`); the buyer asks again, with the same or another method.
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
    return { ...answer, payment: { ...payment, ...(isRefusal(error) && { isRefused: true }) } };
  }
}

/**
 * Refuses a payment that its provider has refused, where the request was for nothing but a way to pay: VALIDATION_ERROR
 * (PAYMENT_REFUSED), which names the method. Returns any other answer.
 */
export function requireNotRefused<Answer extends { payment: PaymentOffer }>(answer: Answer): Answer {
  if (!answer.payment.isRefused) return answer;
  throw businessRefusal(
    'PAYMENT_REFUSED',
    `The payment provider does not take this payment by ${answer.payment.method}. Choose another way to pay.`,
    { paymentMethod: ['is refused by the payment provider'] },
  );
}

const isRefusal = ({ cause }: ActivityFailure): boolean =>
  cause instanceof ApplicationFailure && cause.type === PAGE_REFUSED;
