import { ApplicationFailure } from '@temporalio/common';
import { applyChargeback } from '../../../db/commerce/chargeback/chargeback.transitions';
import {
  applyReport,
  type ReportEffect,
  type ReportOccasion,
} from '../../../db/commerce/payment/settle.transitions';
import { openRefunds } from '../../../db/commerce/payment/capture.transitions';
import { owedAgain, refundsToWake } from '../../../db/commerce/chargeback/charged-back-refund.transitions';
import { attemptById, type PaymentAttempt } from '../../../db/commerce/payment/payment-attempt.transitions';
import { lockEvent, markEvent } from '../../../db/commerce/webhook/webhook-event.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type {
  AppliedEvent,
  PaymentEventActivities,
} from '../../../workflows/commerce/payment/payment-event.contract';
import type {
  ChargebackReport,
  PaymentReport,
} from '../../../workflows/commerce/payment/payment-report.rules';
import { endAbandonedRefunds } from '../refund/end-charged-back-refund';
import { readMessage } from '../../providers/payments/news';
import type { PaymentMessage } from '../../providers/payments/port';
import { requireOrder } from '../order/require-order';

/** A report that no retry can make right. A person has to look at it. */
const poisonous = (why: string): Error => ApplicationFailure.nonRetryable(why, 'PoisonousEvent');

export const paymentEventActivities = ({
  db,
  policy,
}: {
  db: Db;
  policy: Policy;
}): PaymentEventActivities => ({
  eventPatience: ({ at }) =>
    Promise.resolve(new Date(Date.parse(at) + policy.eventPatienceDays * 24 * 3_600_000).toISOString()),

  applyPaymentEvent: ({ webhookEventId, at }) =>
    inTransaction(db, async (tx): Promise<AppliedEvent> => {
      const { provider, body, status } = await lockEvent(tx, webhookEventId);
      if (body === null) throw poisonous('It was dealt with so long ago that its text was deleted.');
      const news = readMessage(provider, body);
      if (!news) throw poisonous('The report is not of the agreed form.');
      const applied =
        news.about === 'chargeback'
          ? await applyToCapture(tx, provider, news.chargeback, at)
          : await applyToAttempt(tx, provider, news, { again: status === 'PROCESSED', at });
      if (applied.outcome === 'UNKNOWN_PAYMENT') {
        await markEvent(tx, webhookEventId, { status: 'WAITING', lastError: 'unknown payment', at });
        return applied;
      }
      if (status !== 'PROCESSED')
        await markEvent(tx, webhookEventId, { status: 'PROCESSED', lastError: null, at });
      // As it stands now, not only if this report paid it: a try before this one may have, and its answer was lost.
      const order = await requireOrder(tx, applied.orderId);
      return { ...applied, userId: order.userId, awaitsFulfilment: order.status === 'PAID' };
    }),

  markEventDead: ({ webhookEventId, reason, at }) =>
    inTransaction(db, (tx) => markEvent(tx, webhookEventId, { status: 'DEAD', lastError: reason, at })),
});

/** What a report did to its order. */
type Effect =
  | { outcome: 'UNKNOWN_PAYMENT' }
  | Omit<Extract<AppliedEvent, { orderId: string }>, 'userId' | 'awaitsFulfilment'>;

/** News of one try to pay, which tells whose try it was. */
async function applyToAttempt(
  tx: Tx,
  provider: string,
  news: Exclude<PaymentMessage, { about: 'chargeback' }>,
  { again, at }: { again: boolean; at: string },
): Promise<Effect> {
  const attempt = await attemptById(tx, news.key);
  if (attempt?.provider !== provider) return { outcome: 'UNKNOWN_PAYMENT' };
  const { orderId } = attempt;
  if (again) return { outcome: 'WITHOUT_EFFECT', orderId, refundsDue: await dueAgain(tx, orderId) };
  if (news.about === 'delay') return { outcome: 'WITHOUT_EFFECT', orderId, refundsDue: [] };
  const effect = await applyToOrder(tx, attempt, news.report, { at, allAsked: false });
  if (effect.outcome === 'IMPOSSIBLE') throw poisonous(effect.why);
  const { outcome } = effect;
  if (outcome === 'RETURNED')
    return { outcome, orderId, refundsDue: [{ refundId: effect.refundId, orderId }] };
  // A look-up may have recorded this money when nobody was left to start its refund.
  const isKnownMoney = outcome === 'WITHOUT_EFFECT' && news.report.status === 'PAID';
  return { outcome, orderId, refundsDue: isKnownMoney ? await dueAgain(tx, orderId) : [] };
}

/** News of money that had come, and that a bank took or returned. */
async function applyToCapture(
  tx: Tx,
  provider: string,
  report: ChargebackReport,
  at: string,
): Promise<Effect> {
  const effect = await applyChargeback(tx, provider, report, at);
  if (effect.outcome === 'IMPOSSIBLE') throw poisonous(effect.why);
  if (effect.outcome === 'UNKNOWN') return { outcome: 'UNKNOWN_PAYMENT' };
  const { outcome, orderId, captureId, refundsDue } = effect;
  const isDecided = report.status !== 'TAKEN';
  if (outcome === 'APPLIED' && report.status === 'LOST') await endAbandonedRefunds(tx, captureId, at);
  for (const requestId of effect.requestsOwedAgain) await owedAgain(tx, requestId, at);
  return {
    outcome,
    orderId,
    refundsDue: outcome === 'APPLIED' ? refundsDue : await dueAgain(tx, orderId),
    refundsToWake: isDecided ? await refundsToWake(tx, captureId) : [],
  };
}

/** Applies a report to its order, which is locked here. */
export async function applyToOrder(
  tx: Tx,
  { id, orderId }: PaymentAttempt,
  report: PaymentReport,
  occasion: ReportOccasion,
): Promise<ReportEffect> {
  const order = await requireOrder(tx, orderId);
  // Read under the lock: the attempt may have moved while we waited for it.
  const attempt = await attemptById(tx, id);
  if (!attempt) throw new Error(`There is no attempt ${id}.`);
  return applyReport(tx, order, attempt, report, occasion);
}

/** Refunds that a lost answer, or a look-up, may have left without a process. Starting one that runs already changes nothing. */
async function dueAgain(tx: Tx, orderId: string): Promise<{ refundId: string; orderId: string }[]> {
  const open = await openRefunds(tx, orderId);
  return open.map(({ id }) => ({ refundId: id, orderId }));
}
