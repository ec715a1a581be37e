import { getExternalWorkflowHandle, log, setCurrentDetails, sleep } from '@temporalio/workflow';
import { refusalIn } from '../errors';
import { attentionFor } from '../parking';
import { everyoneAnswered, millisecondsUntil, now, startBeside, transactions } from '../steps';
import { paymentReported } from './order.contract';
import type {
  AppliedEvent,
  PaymentEventActivities,
  PaymentEventInput,
  PaymentEventResult,
} from './payment-event.contract';
import { paymentRefundProcess } from './payment-refund.contract';

/** How long a report may wait for the payment it speaks of. */
const PATIENCE_MS = 3 * 24 * 3_600_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** One report of a payment provider: applied once in the database, then told to the order's process. */
export async function paymentEvent({ webhookEventId }: PaymentEventInput): Promise<PaymentEventResult> {
  const books = transactions<PaymentEventActivities>();
  const attention = attentionFor(webhookEventId);
  const patienceEnds = new Date(Date.now() + PATIENCE_MS).toISOString();

  const bury = async (reason: string): Promise<PaymentEventResult> => {
    await attention.step('mark the event dead', () => books.buryEvent({ webhookEventId, reason, at: now() }));
    setCurrentDetails(`Dead: ${reason}`);
    await everyoneAnswered();
    return 'DEAD';
  };

  let applied: AppliedEvent;
  try {
    for (let pauseMs = 1_000; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      applied = await attention.step('apply the report', () =>
        books.applyPaymentEvent({ webhookEventId, at: now() }),
      );
      if (applied.outcome !== 'UNKNOWN_PAYMENT') break;
      if (millisecondsUntil(patienceEnds) === 0)
        return await bury('It speaks of a payment that we do not know.');
      setCurrentDetails('Waiting: it speaks of a payment that is not known yet.');
      await sleep(pauseMs, { summary: 'the payment is not known yet' });
    }
  } catch (error) {
    if (refusalIn(error)?.code !== 'ABANDONED') throw error;
    return bury('An operator gave it up.');
  }

  for (const refund of applied.refundsDue) await startBeside(paymentRefundProcess, refund);
  await tellTheOrder(applied.orderId);
  setCurrentDetails(
    applied.outcome === 'APPLIED' ? 'Applied.' : 'Changed nothing: it came again, or too late.',
  );
  await everyoneAnswered();
  return 'PROCESSED';
}

/** Wakes the order's process. One that has closed needs no news; what is true stands in the database. */
async function tellTheOrder(orderId: string): Promise<void> {
  try {
    await getExternalWorkflowHandle(`checkout:${orderId}`).signal(paymentReported);
  } catch (error) {
    log.debug('nobody to tell', { orderId, error });
  }
}
