import { failCompletedRequest } from '../../../../db/commerce/chargeback/charged-back-refund.transitions';
import { reopenRefundedPayment } from '../../../../db/commerce/refund/sending/schedule-refund.transitions';
import {
  bookRefundReturned,
  markReturned,
} from '../../../../db/commerce/refund/reported/reported-refund.transitions';
import { readRefund, type PaymentRefund } from '../../../../db/commerce/refund/refund.transitions';
import type { Tx } from '../../../../db/sql/query';
import { amountInWords } from '../../../../workflows/commerce/money.rules';
import type { RefundReport } from '../../../../workflows/commerce/payment/payment-report.rules';
import { requireRequest } from '../conclude-request';
import { queueMoneyMail, queueRefundRequestMail } from '../queue-refund-mail';

/** A refund of ours, locked, and the report on it. */
export interface Reported {
  refund: PaymentRefund;
  report: RefundReport;
  /** True if the report was applied before, and the result was lost. */
  again: boolean;
}

/** The effect of a report on one refund. `toDecide`: the words of a decision that a person has to make; null or left out: there is none. */
export interface Effect {
  outcome: 'APPLIED' | 'WITHOUT_EFFECT';
  /** The process of the refund is to look at it. */
  wakes?: true;
  toDecide?: string | null;
}

/**
 * Books back a refund that has ended, and that its provider had sent and could not deliver: the money is owed again, and a person sends it. Its request
 * has failed, and its buyer is told, as of the next sending. A failure of anything else changes nothing.
 */
export async function returnRefund(tx: Tx, { refund, report, again }: Reported, at: string): Promise<Effect> {
  const { id, amountMinor, refundRequestId } = refund;
  const { providerRefundId } = report;
  const toDecide = wordsFor(refund, providerRefundId);
  if (!(await markReturned(tx, id, providerRefundId))) {
    const isOwed = refund.status === 'ABANDONED' && refund.returnedReference === providerRefundId;
    return { outcome: 'WITHOUT_EFFECT', toDecide: again && isOwed ? toDecide : null };
  }
  await bookRefundReturned(tx, refund, providerRefundId, at);
  await reopenRefundedPayment(tx, refund, at);
  if (refundRequestId === null) await queueMoneyMail(tx, await readRefund(tx, id), 'failed');
  else {
    await failCompletedRequest(tx, refundRequestId, at);
    await queueRefundRequestMail(tx, await requireRequest(tx, refundRequestId), 'FAILED', { amountMinor });
  }
  return { outcome: 'APPLIED', toDecide };
}

const wordsFor = ({ id, provider, amountMinor, currency }: PaymentRefund, providerRefundId: string): string =>
  `${provider} could not deliver ${amountInWords(amountMinor, currency)} that it had sent back as ${providerRefundId}, so the buyer is owed the money again. Send it from our bank account, settle it (POST /admin/payment-refunds/${id}/settle), and retry this.`;
