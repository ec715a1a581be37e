import { log, patched, setCurrentDetails, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import { parkingFor, type Parking } from '../../kit/parking';
import {
  handlersFinished,
  millisecondsUntil,
  now,
  startDetached,
  localTransactions,
  localTransactionsForever,
} from '../../kit/proxies';
import { searchAttributes } from '../../kit/search-attributes';
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

/** One report of a payment provider: applied once in the database; then the order's process is signalled. */
export async function paymentEvent({ webhookEventId }: PaymentEventInput): Promise<PaymentEventResult> {
  const parking = parkingFor(webhookEventId);
  const applied = await parking.orAbandoned(() => untilApplied(webhookEventId, parking));
  if (applied === 'ABANDONED') return markDead(webhookEventId, 'An operator gave it up.');
  if (applied.outcome === 'UNKNOWN_PAYMENT')
    return markDead(webhookEventId, 'It speaks of a payment that we do not know.');

  const { outcome, orderId, userId, refundsDue, refundsToWake = [], awaitsFulfilment, label } = applied;
  if (patched('names-order'))
    upsertSearchAttributes([
      { key: searchAttributes.orderId, value: orderId },
      { key: searchAttributes.userId, value: userId },
    ]);
  if (outcome === 'RETURNED') log.warn('money paid no order and goes back', { orderId, refundsDue });
  await startRefunds(refundsDue);
  for (const refund of refundsToWake) await wakeRefund(refund);
  const order = { orderId, userId, ...(label !== undefined && { label }) };
  await (awaitsFulfilment ? handOver(order) : wakeCheckout(order));
  setCurrentDetails(`${label === undefined ? '' : `${label}. `}${CLOSING_WORDS[outcome]}`);
  await handlersFinished();
  return 'PROCESSED';
}

const CLOSING_WORDS: Record<Exclude<AppliedEvent['outcome'], 'UNKNOWN_PAYMENT'>, string> = {
  APPLIED: 'Applied.',
  RETURNED: 'The money came late, twice or in another amount; it is booked and on its way back.',
  WITHOUT_EFFECT: 'Changed nothing: it is a repeat, or came too late.',
};

/** Applies the report as soon as its payment is known; UNKNOWN_PAYMENT when the deadline has passed. */
async function untilApplied(webhookEventId: string, parking: Parking): Promise<AppliedEvent> {
  const local = localTransactions<PaymentEventActivities>();
  const begun = now();
  let patienceEnds: string | null = null;
  for (let pauseMs = 1_000; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const applied = await parking.step('apply the report', () =>
      local.applyPaymentEvent({ webhookEventId, at: now() }),
    );
    if (applied.outcome !== 'UNKNOWN_PAYMENT') return applied;
    patienceEnds ??= await parking.step('find out how long the report may wait', () =>
      local.eventPatience({ at: begun }),
    );
    if (millisecondsUntil(patienceEnds) === 0) return applied;
    setCurrentDetails('Waiting: it is about a payment that is not known yet.');
    await sleep(pauseMs, { summary: 'the payment is not known yet' });
  }
}

async function markDead(webhookEventId: string, reason: string): Promise<PaymentEventResult> {
  const local = localTransactionsForever<PaymentEventActivities>();
  await local.buryEvent({ webhookEventId, reason, at: now() });
  setCurrentDetails(`Dead: ${reason}`);
  await handlersFinished();
  return 'DEAD';
}

/** Makes the process of a refund read its state again; one that has ended is run once more. */
async function wakeRefund(refund: RefundDue): Promise<void> {
  await startDetached(paymentRefundProcess, refund);
  if (!(await notify(paymentRefundProcess, refund, chargebackDecided)))
    await startDetached(paymentRefundProcess, refund);
}
