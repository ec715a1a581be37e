import { getExternalWorkflowHandle, isCancellation, log, setCurrentDetails } from '@temporalio/workflow';
import { attentionFor } from '../parking';
import { everyoneAnswered, now, provider, transactions, transactionsWithoutEnd } from '../steps';
import type { RefundDue } from './order.contract';
import type {
  PaymentRefundResult,
  RefundBookActivities,
  RefundCallActivities,
} from './payment-refund.contract';
import { refundSettled } from './refund-request.contract';

/** One sum on its way back to a buyer. A provider that refuses, or stays silent, is a matter for a person. */
export async function paymentRefund({ refundId }: RefundDue): Promise<PaymentRefundResult> {
  const books = transactions<RefundBookActivities>();
  const attention = attentionFor(refundId);
  let tries = 0;
  let askedBy: string | null = null;
  setCurrentDetails('Asking the provider to send the money back.');
  const result = await attention.orAbandoned(async () => {
    const code = await attention.step('find who sends the money back', () =>
      books.refundProvider({ refundId }),
    );
    const sent = await attention.step('send the money back through the provider', () =>
      provider<RefundCallActivities>(code).sendRefund({ refundId, again: tries++ > 0 }),
    );
    askedBy = await attention.step('book the refund', () =>
      books.completeRefund({ refundId, ...sent, at: now() }),
    );
    return 'COMPLETED' as const;
  });
  if (result === 'ABANDONED')
    askedBy = await transactionsWithoutEnd<RefundBookActivities>().abandonRefund({ refundId, at: now() });
  if (askedBy) await tellRequest(askedBy);
  setCurrentDetails(CLOSING_WORDS[result]);
  await everyoneAnswered();
  return result;
}

const CLOSING_WORDS: Record<PaymentRefundResult, string> = {
  COMPLETED: 'The money is back with the buyer.',
  ABANDONED: 'Given up by an operator; the buyer is still owed the money.',
};

/** The request that the money was asked for by is concluded in the database already; this wakes its process. */
async function tellRequest(refundRequestId: string): Promise<void> {
  try {
    await getExternalWorkflowHandle(`refund:${refundRequestId}`).signal(refundSettled);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.info('the refund request is over already', { refundRequestId });
  }
}
