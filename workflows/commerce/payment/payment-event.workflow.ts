import { log, setCurrentDetails, sleep } from '@temporalio/workflow';
import { attentionFor, type Attention } from '../../kit/parking';
import {
  everyoneAnswered,
  millisecondsUntil,
  now,
  startBeside,
  transactions,
  transactionsWithoutEnd,
} from '../../kit/proxies';
import { notify } from '../../kit/signals';
import { handOver, wakeCheckout } from '../order/hand-over';
import { startRefunds } from '../refund/start-refunds';
import type { RefundDue } from '../order/order.contract';
import type {
  AppliedEvent,
  PaymentEventActivities,
  PaymentEventInput,
  PaymentEventResult,
} from './payment-event.contract';
import { chargebackDecided, paymentRefundProcess } from '../refund/payment-refund.contract';

const LONGEST_PAUSE_MS = 3_600_000;

/** One report of a payment provider: applied once in the database, then told to the order's process. */
export async function paymentEvent({ webhookEventId }: PaymentEventInput): Promise<PaymentEventResult> {
  const attention = attentionFor(webhookEventId);
  const applied = await attention.orAbandoned(() => untilApplied(webhookEventId, attention));
  if (applied === 'ABANDONED') return bury(webhookEventId, 'An operator gave it up.');
  if (applied.outcome === 'UNKNOWN_PAYMENT')
    return bury(webhookEventId, 'It speaks of a payment that we do not know.');

  const { outcome, orderId, userId, refundsDue, refundsToWake = [], awaitsFulfilment } = applied;
  if (outcome === 'RETURNED') log.warn('money paid no order and goes back', { orderId, refundsDue });
  await startRefunds(refundsDue);
  for (const refund of refundsToWake) await wakeRefund(refund);
  await (awaitsFulfilment ? handOver({ orderId, userId }) : wakeCheckout({ orderId, userId }));
  setCurrentDetails(CLOSING_WORDS[outcome]);
  await everyoneAnswered();
  return 'PROCESSED';
}

const CLOSING_WORDS: Record<Exclude<AppliedEvent['outcome'], 'UNKNOWN_PAYMENT'>, string> = {
  APPLIED: 'Applied.',
  RETURNED: 'The money came late, twice or in another amount; it is booked and on its way back.',
  WITHOUT_EFFECT: 'Changed nothing: it came again, or too late.',
};

/** Applies the report, once the payment that it speaks of is known; UNKNOWN_PAYMENT when patience has ended. */
async function untilApplied(webhookEventId: string, attention: Attention): Promise<AppliedEvent> {
  const books = transactions<PaymentEventActivities>();
  const begun = now();
  let patienceEnds: string | null = null;
  for (let pauseMs = 1_000; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const applied = await attention.step('apply the report', () =>
      books.applyPaymentEvent({ webhookEventId, at: now() }),
    );
    if (applied.outcome !== 'UNKNOWN_PAYMENT') return applied;
    patienceEnds ??= await attention.step('find out how long the report may wait', () =>
      books.eventPatience({ at: begun }),
    );
    if (millisecondsUntil(patienceEnds) === 0) return applied;
    setCurrentDetails('Waiting: it speaks of a payment that is not known yet.');
    await sleep(pauseMs, { summary: 'the payment is not known yet' });
  }
}

async function bury(webhookEventId: string, reason: string): Promise<PaymentEventResult> {
  const books = transactionsWithoutEnd<PaymentEventActivities>();
  await books.buryEvent({ webhookEventId, reason, at: now() });
  setCurrentDetails(`Dead: ${reason}`);
  await everyoneAnswered();
  return 'DEAD';
}

/** Has the process of a refund look again how it stands; one that has ended is run once more. */
async function wakeRefund(refund: RefundDue): Promise<void> {
  await startBeside(paymentRefundProcess, refund);
  if (!(await notify(paymentRefundProcess, refund, chargebackDecided)))
    await startBeside(paymentRefundProcess, refund);
}
