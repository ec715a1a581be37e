import { ApplicationFailure } from '@temporalio/common';
import {
  failCompletedRequest,
  refundsToWake,
} from '../../../db/commerce/chargeback/charged-back-refund.transitions';
import { openRefunds } from '../../../db/commerce/payment/capture.transitions';
import { attemptById } from '../../../db/commerce/payment/payment-attempt.transitions';
import { lockEvent, markEvent } from '../../../db/commerce/webhook/webhook-event.transitions';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { RefundDue } from '../../../workflows/commerce/order/order.contract';
import type { AppliedEvent } from '../../../workflows/commerce/payment/payment-event.contract';
import type { ChargebackReport } from '../../../workflows/commerce/payment/payment-report.rules';
import { readMessage } from '../../providers/payments/message';
import type { PaymentMessage } from '../../providers/payments/port';
import { applyChargeback } from '../chargeback/apply-chargeback';
import { endAbandonedRefunds } from '../chargeback/end-charged-back-refund';
import { labelOf, requireOrder } from '../order/require-order';
import { labelled } from '../refund/label-refunds';
import { applyReport } from './apply-report';

/** The failure of a report that no retry can apply. A person has to look at it. */
const inapplicable = (why: string): Error => ApplicationFailure.nonRetryable(why, 'PoisonousEvent');

/** Applies a stored report and marks it, in one transaction. A report that can never be applied is thrown. */
export const applyPaymentEvent = (
  db: Db,
  { webhookEventId, at }: { webhookEventId: string; at: string },
): Promise<AppliedEvent> =>
  inTransaction(db, async (tx): Promise<AppliedEvent> => {
    const { provider, body, status } = await lockEvent(tx, webhookEventId);
    if (body === null) throw inapplicable('It was dealt with so long ago that its text was deleted.');
    const message = readMessage(provider, body);
    if (!message) throw inapplicable('The report is not of the agreed form.');
    const applied =
      message.about === 'chargeback'
        ? await applyToCapture(tx, provider, message.chargeback, at)
        : await applyToAttempt(tx, provider, message, { again: status === 'PROCESSED', at });
    if (applied.outcome === 'UNKNOWN_PAYMENT') {
      await markEvent(tx, webhookEventId, { status: 'WAITING', lastError: 'unknown payment', at });
      return applied;
    }
    if (status !== 'PROCESSED')
      await markEvent(tx, webhookEventId, { status: 'PROCESSED', lastError: null, at });
    // The order's status now, not only if this report paid it: an earlier try may have, and its answer was lost.
    const order = await requireOrder(tx, applied.orderId);
    return {
      ...applied,
      userId: order.userId,
      label: labelOf(order),
      awaitsFulfilment: order.status === 'PAID',
      refundsDue: await labelled(tx, applied.refundsDue),
      ...(applied.refundsToWake && { refundsToWake: await labelled(tx, applied.refundsToWake) }),
    };
  });

/** The effect of a report on its order. */
type Effect =
  | { outcome: 'UNKNOWN_PAYMENT' }
  | Omit<Extract<AppliedEvent, { orderId: string }>, 'userId' | 'awaitsFulfilment'>;

/** Applies a message about one try to pay, which names the attempt. */
async function applyToAttempt(
  tx: Tx,
  provider: string,
  message: Exclude<PaymentMessage, { about: 'chargeback' }>,
  { again, at }: { again: boolean; at: string },
): Promise<Effect> {
  const attempt = await attemptById(tx, message.key);
  if (attempt?.provider !== provider) return { outcome: 'UNKNOWN_PAYMENT' };
  const { orderId } = attempt;
  if (again) return { outcome: 'WITHOUT_EFFECT', orderId, refundsDue: await refundsStillDue(tx, orderId) };
  if (message.about === 'delay') return { outcome: 'WITHOUT_EFFECT', orderId, refundsDue: [] };
  const effect = await applyReport(tx, attempt, message.report, { at, allAsked: false });
  if (effect.outcome === 'IMPOSSIBLE') throw inapplicable(effect.why);
  const { outcome } = effect;
  if (outcome === 'RETURNED')
    return { outcome, orderId, refundsDue: [{ refundId: effect.refundId, orderId }] };
  // A look-up may have recorded this money when nobody was left to start its refund.
  const isKnownMoney = outcome === 'WITHOUT_EFFECT' && message.report.status === 'PAID';
  return { outcome, orderId, refundsDue: isKnownMoney ? await refundsStillDue(tx, orderId) : [] };
}

/** Applies a message about captured money that a bank took or returned. */
async function applyToCapture(
  tx: Tx,
  provider: string,
  report: ChargebackReport,
  at: string,
): Promise<Effect> {
  const effect = await applyChargeback(tx, provider, report, at);
  if (effect.outcome === 'IMPOSSIBLE') throw inapplicable(effect.why);
  if (effect.outcome === 'UNKNOWN') return { outcome: 'UNKNOWN_PAYMENT' };
  const { outcome, orderId, captureId, refundsDue } = effect;
  const isDecided = report.status !== 'TAKEN';
  if (outcome === 'APPLIED' && report.status === 'LOST') await endAbandonedRefunds(tx, captureId, at);
  for (const requestId of effect.requestsOwedAgain) await failCompletedRequest(tx, requestId, at);
  return {
    outcome,
    orderId,
    refundsDue: outcome === 'APPLIED' ? refundsDue : await refundsStillDue(tx, orderId),
    refundsToWake: isDecided ? await refundsToWake(tx, captureId) : [],
  };
}

/** Refunds that a lost answer, or a look-up, may have left without a process. Starting one that runs changes nothing. */
async function refundsStillDue(tx: Tx, orderId: string): Promise<RefundDue[]> {
  const open = await openRefunds(tx, orderId);
  return open.map(({ id }) => ({ refundId: id, orderId }));
}
