import { setCurrentDetails } from '@temporalio/workflow';
import { refusalIn } from '../errors';
import { attentionFor } from '../parking';
import { callsOutside, everyoneAnswered, now, transactions } from '../steps';
import type { RefundDue } from './order.contract';
import type {
  PaymentRefundResult,
  RefundBookActivities,
  RefundCallActivities,
} from './payment-refund.contract';

/** One sum on its way back to a buyer. A provider that refuses, or stays silent, is a matter for a person. */
export async function paymentRefund({ refundId }: RefundDue): Promise<PaymentRefundResult> {
  const provider = callsOutside<RefundCallActivities>();
  const books = transactions<RefundBookActivities>();
  const attention = attentionFor(refundId);
  setCurrentDetails('Asking the provider to send the money back.');
  try {
    const sent = await attention.step('send the money back through the provider', () =>
      provider.sendRefund({ refundId }),
    );
    await attention.step('book the refund', () => books.completeRefund({ refundId, ...sent, at: now() }));
  } catch (error) {
    if (refusalIn(error)?.code !== 'ABANDONED') throw error;
    await books.abandonRefund({ refundId });
    setCurrentDetails('Given up by an operator; the buyer is still owed the money.');
    await everyoneAnswered();
    return 'ABANDONED';
  }
  setCurrentDetails('The money is back with the buyer.');
  await everyoneAnswered();
  return 'COMPLETED';
}
