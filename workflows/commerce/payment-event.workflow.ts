import {
  getExternalWorkflowHandle,
  isCancellation,
  log,
  setCurrentDetails,
  sleep,
} from '@temporalio/workflow';
import { attentionFor, type Attention } from '../parking';
import {
  everyoneAnswered,
  millisecondsUntil,
  now,
  startBeside,
  transactions,
  transactionsWithoutEnd,
} from '../steps';
import { paymentReported, type RefundDue } from './order.contract';
import type {
  AppliedEvent,
  PaymentEventActivities,
  PaymentEventInput,
  PaymentEventResult,
} from './payment-event.contract';
import { chargebackDecided, paymentRefundProcess } from './payment-refund.contract';

const LONGEST_PAUSE_MS = 3_600_000;

/** One report of a payment provider: applied once in the database, then told to the order's process. */
export async function paymentEvent({ webhookEventId }: PaymentEventInput): Promise<PaymentEventResult> {
  const attention = attentionFor(webhookEventId);
  const applied = await attention.orAbandoned(() => untilApplied(webhookEventId, attention));
  if (applied === 'ABANDONED') return bury(webhookEventId, 'An operator gave it up.');
  if (applied.outcome === 'UNKNOWN_PAYMENT')
    return bury(webhookEventId, 'It speaks of a payment that we do not know.');

  for (const refund of applied.refundsDue) await startBeside(paymentRefundProcess, refund);
  for (const refund of applied.refundsToWake ?? []) await wakeRefund(refund);
  await tellTheOrder(applied.orderId);
  setCurrentDetails(
    applied.outcome === 'APPLIED' ? 'Applied.' : 'Changed nothing: it came again, or too late.',
  );
  await everyoneAnswered();
  return 'PROCESSED';
}

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

/** Wakes the order's process. One that has closed needs no news; what is true stands in the database. */
async function tellTheOrder(orderId: string): Promise<void> {
  try {
    await getExternalWorkflowHandle(`checkout:${orderId}`).signal(paymentReported);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.debug('nobody to tell', { orderId, error });
  }
}

/** Has the process of a refund look again how it stands; one that has ended is run once more. */
async function wakeRefund(refund: RefundDue): Promise<void> {
  await startBeside(paymentRefundProcess, refund);
  try {
    await getExternalWorkflowHandle(paymentRefundProcess.id(refund)).signal(chargebackDecided);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.debug('the refund ended meanwhile', { refundId: refund.refundId, error });
    await startBeside(paymentRefundProcess, refund);
  }
}
