import { ApplicationFailure } from '@temporalio/common';
import {
  failCompletedRequest,
  refundsToWake,
} from '../../../db/commerce/chargeback/charged-back-refund.transitions';
import { attemptById } from '../../../db/commerce/payment/payment-attempt.transitions';
import { lockEvent, markEvent } from '../../../db/administration/webhook/webhook-event.transitions';
import type { Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type {
  AppliedEvent,
  AppliedReport,
  PaymentEventActivities,
} from '../../../workflows/commerce/payment-event/payment-event.contract';
import { refOf, type PayableRef } from '../../../workflows/commerce/payable/payable.rules';
import type {
  ChargebackReport,
  RefundReport,
} from '../../../workflows/commerce/payment/payment-report.rules';
import type { PaymentMessage } from '../../providers/payments/message';
import type { ReadMessage } from '../../providers/payments/read-message';
import { applyChargeback } from '../chargeback/apply-chargeback';
import { endAbandonedRefunds } from '../refund/payment-refund/end-charged-back-refund';
import { labelled } from '../payment/label-refunds';
import { applyRefundReport } from '../refund/reported/apply-refund-report';
import type { DbDeps } from '../../steps';
import { applyReport } from './apply-report';
import { lockPayable } from '../payable/lock-payable';
import { refundsStillDue } from './refunds-still-due';

/** The failure of a report that no retry can apply. A person has to look at it. */
const inapplicable = (why: string): Error => ApplicationFailure.nonRetryable(why, 'PoisonousEvent');

const FOREIGN = 'It is about a payment of another system that shares our account at the provider.';

/** Applies a stored report and marks it, in one transaction. A report that can never be applied is thrown. */
export const applyPaymentEvent = (
  { db, readMessage }: DbDeps & { readMessage: ReadMessage },
  { webhookEventId, at, isForeign = false }: Parameters<PaymentEventActivities['applyPaymentEvent']>[0],
): Promise<AppliedEvent> =>
  inTransaction(db, async (tx): Promise<AppliedEvent> => {
    const { provider, body, status } = await lockEvent(tx, webhookEventId);
    if (status === 'DISCARDED') return { outcome: 'DISCARDED' };
    if (body === null) throw inapplicable('It was dealt with so long ago that its text was deleted.');
    const message = readMessage(provider, body);
    if (!message) throw inapplicable('The report is not of the agreed form.');
    const applied = await applyMessage(tx, provider, message, { again: status === 'PROCESSED', at });
    if (applied.outcome === 'UNKNOWN_PAYMENT') {
      const mark = isForeign
        ? ({ status: 'IGNORED', lastError: FOREIGN } as const)
        : ({ status: 'WAITING', lastError: 'unknown payment' } as const);
      await markEvent(tx, webhookEventId, { ...mark, at });
      return isForeign ? { outcome: 'FOREIGN' } : { ...applied, ...paymentWithoutOurId(message) };
    }
    const { ref, ...effect } = applied;
    // The status now, not only if this report changed it: an earlier try may have, and its answer was lost.
    const { userId, label, status: now } = await lockPayable(tx, ref);
    const about = { userId, orderId: ref.orderId ?? null };
    if (status !== 'PROCESSED')
      await markEvent(tx, webhookEventId, { status: 'PROCESSED', lastError: null, about, at });
    return {
      ...effect,
      ...ref,
      userId,
      label,
      awaitsFulfilment: ref.orderId !== undefined && now === 'PAID',
      refundsDue: await labelled(tx, applied.refundsDue),
      ...(applied.refundsToWake && { refundsToWake: await labelled(tx, applied.refundsToWake) }),
      ...(applied.refundsReported && { refundsReported: await labelled(tx, applied.refundsReported) }),
    };
  });

/** The provider's id of the payment, where nothing in the message says that it is ours. */
function paymentWithoutOurId(message: PaymentMessage): { paymentId?: string } {
  if (message.about === 'chargeback') return { paymentId: message.chargeback.paymentId };
  return message.about === 'refund' && message.refund.refundId === null
    ? { paymentId: message.refund.paymentId }
    : {};
}

/** The effect of a report on what was paid for. */
type Effect =
  | { outcome: 'UNKNOWN_PAYMENT' }
  | (Omit<AppliedReport, 'userId' | 'label' | 'awaitsFulfilment'> & { ref: PayableRef });

/** The moment at which a report is applied; `again`: it was before, and the result was lost. */
interface Occasion {
  again: boolean;
  at: string;
}

function applyMessage(
  tx: Tx,
  provider: string,
  message: PaymentMessage,
  occasion: Occasion,
): Promise<Effect> {
  switch (message.about) {
    case 'chargeback':
      return applyToCapture(tx, provider, message.chargeback, occasion);
    case 'refund':
      return applyToRefund(tx, provider, message.refund, occasion);
    case 'payment':
    case 'delay':
      return applyToAttempt(tx, provider, message, occasion);
  }
}

/** Applies a message about money that goes, or went, back to a buyer. */
async function applyToRefund(
  tx: Tx,
  provider: string,
  report: RefundReport,
  occasion: Occasion,
): Promise<Effect> {
  const effect = await applyRefundReport(tx, provider, report, occasion);
  if (effect.outcome === 'UNKNOWN') return { outcome: 'UNKNOWN_PAYMENT' };
  const { outcome, ref, toWake, toDecide } = effect;
  return {
    ...{ outcome, ref, refundsDue: [] },
    ...(toWake.length > 0 && { refundsReported: toWake }),
    ...(toDecide !== null && { toDecide }),
  };
}

/** Applies a message about one try to pay, which names the attempt. */
async function applyToAttempt(
  tx: Tx,
  provider: string,
  message: Exclude<PaymentMessage, { about: 'chargeback' | 'refund' }>,
  { again, at }: Occasion,
): Promise<Effect> {
  const attempt = await attemptById(tx, message.key);
  if (attempt?.provider !== provider) return { outcome: 'UNKNOWN_PAYMENT' };
  const ref = refOf(attempt);
  if (again) return { outcome: 'WITHOUT_EFFECT', ref, refundsDue: await refundsStillDue(tx, ref) };
  if (message.about === 'delay') return { outcome: 'WITHOUT_EFFECT', ref, refundsDue: [] };
  const effect = await applyReport(tx, attempt, message.report, { at, allAsked: false });
  if (effect.outcome === 'IMPOSSIBLE') throw inapplicable(effect.why);
  const { outcome } = effect;
  if (outcome === 'RETURNED') return { outcome, ref, refundsDue: [{ refundId: effect.refundId, ...ref }] };
  // A look-up may have recorded this money when nobody was left to start its refund.
  const isKnownMoney = outcome === 'WITHOUT_EFFECT' && message.report.status === 'PAID';
  return { outcome, ref, refundsDue: isKnownMoney ? await refundsStillDue(tx, ref) : [] };
}

/** Applies a message about captured money that a bank took or returned. */
async function applyToCapture(
  tx: Tx,
  provider: string,
  report: ChargebackReport,
  { again, at }: Occasion,
): Promise<Effect> {
  const effect = await applyChargeback(tx, provider, report, at);
  if (effect.outcome === 'IMPOSSIBLE') throw inapplicable(effect.why);
  if (effect.outcome === 'UNKNOWN') return { outcome: 'UNKNOWN_PAYMENT' };
  const { outcome, ref, captureId, refundsDue, withdrawalsEnded, toDecide } = effect;
  const isDecided = report.status !== 'TAKEN';
  if (outcome === 'APPLIED' && report.status === 'LOST') await endAbandonedRefunds(tx, captureId, at);
  for (const requestId of effect.requestsOwedAgain) await failCompletedRequest(tx, requestId, at);
  return {
    outcome,
    ref,
    refundsDue: outcome === 'APPLIED' ? refundsDue : await refundsStillDue(tx, ref),
    refundsToWake: isDecided
      ? (await refundsToWake(tx, captureId)).map(({ refundId, ...ids }) => ({ refundId, ...refOf(ids) }))
      : [],
    ...(withdrawalsEnded.length > 0 && { withdrawalsEnded }),
    // Requested again when the response of the try that applied it was lost.
    ...(toDecide !== null && (outcome === 'APPLIED' || again) && { toDecide }),
  };
}
