import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import { applyReport, type PaymentReport } from '../../db/commerce/settle.transitions';
import { openRefunds } from '../../db/commerce/capture.transitions';
import { attemptById, type PaymentAttempt } from '../../db/commerce/payment-attempt.transitions';
import { lockEvent, markEvent } from '../../db/commerce/webhook-event.transitions';
import type { Db, Tx } from '../../db/sql';
import { inTransaction } from '../../db/transaction';
import type { AppliedEvent, PaymentEventActivities } from '../../workflows/commerce/payment-event.contract';
import { paymentOutcome } from '../../workflows/commerce/payment-report.rules';
import { requireOrder } from './place-order';

/** What another company sends is checked like anything from outside, signed or not. */
const ReportBody = z.object({
  type: z.string(),
  data: z.object({
    key: z.uuid(),
    // Chosen: printable ASCII. PostgreSQL keeps broken characters changed, and two ids that become one are one payment.
    paymentId: z.string().regex(/^[\x21-\x7e]{1,200}$/),
    amountMinor: z.number().int().positive(),
    currency: z.string().regex(/^[A-Z]{3}$/),
  }),
});

/** A report that no retry can make right. A person has to look at it. */
const poisonous = (why: string): Error => ApplicationFailure.nonRetryable(why, 'PoisonousEvent');

export const paymentEventActivities = ({ db }: { db: Db }): PaymentEventActivities => ({
  applyPaymentEvent: ({ webhookEventId, at }) =>
    inTransaction(db, async (tx): Promise<AppliedEvent> => {
      const event = await lockEvent(tx, webhookEventId);
      const { key, report } = readReport(event.body);
      const attempt = await attemptById(tx, key);
      if (attempt?.provider !== event.provider) {
        await markEvent(tx, webhookEventId, { status: 'WAITING', lastError: 'unknown payment', at });
        return { outcome: 'UNKNOWN_PAYMENT' };
      }
      if (event.status === 'PROCESSED')
        return {
          outcome: 'WITHOUT_EFFECT',
          orderId: attempt.orderId,
          refundsDue: await dueAgain(tx, attempt),
        };
      const effect = await applyToOrder(tx, attempt, report, at);
      await markEvent(tx, webhookEventId, { status: 'PROCESSED', lastError: null, at });
      return {
        outcome: effect.changed ? 'APPLIED' : 'WITHOUT_EFFECT',
        orderId: attempt.orderId,
        refundsDue: effect.refundsDue,
      };
    }),

  buryEvent: ({ webhookEventId, reason, at }) =>
    inTransaction(db, (tx) => markEvent(tx, webhookEventId, { status: 'DEAD', lastError: reason, at })),
});

/** Applies a report to its order, once it is sure that both speak of the same money. */
export async function applyToOrder(
  tx: Tx,
  attempt: PaymentAttempt,
  report: PaymentReport,
  at: string,
): ReturnType<typeof applyReport> {
  const order = await requireOrder(tx, attempt.orderId);
  if (report.amountMinor !== attempt.amountMinor || report.currency !== attempt.currency)
    throw poisonous(
      `Payment ${report.paymentId} is of ${report.amountMinor} ${report.currency}, its attempt of ` +
        `${attempt.amountMinor} ${attempt.currency}.`,
    );
  // The attempt may have moved while we waited for the order's lock.
  const current = await attemptById(tx, attempt.id);
  return applyReport(tx, order, current ?? attempt, report, at);
}

/** Refunds that a lost answer may have left without a process. Starting one that runs already changes nothing. */
async function dueAgain(tx: Tx, attempt: PaymentAttempt): Promise<{ refundId: string; orderId: string }[]> {
  const open = await openRefunds(tx, attempt.orderId);
  return open.map(({ id }) => ({ refundId: id, orderId: attempt.orderId }));
}

function readReport(body: string): { key: string; report: PaymentReport } {
  const parsed = ReportBody.safeParse(parseJson(body));
  const status = parsed.success ? paymentOutcome(parsed.data.type) : null;
  if (!parsed.success || !status) throw poisonous('The report is not of the agreed form.');
  const { key, ...payment } = parsed.data.data;
  return { key, report: { ...payment, status } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
