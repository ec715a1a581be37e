import { continueAsNew, log, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { parkingFor, type Parking } from '../../kit/parking';
import {
  handlersFinished,
  now,
  startDetached,
  localTransactions,
  localTransactionsForever,
} from '../../kit/proxies';
import { renewalBy } from '../../kit/waiting/renewal';
import { searchAttributes } from '../../kit/search-attributes';
import { notify } from '../../kit/signals';
import { startRefunds } from '../refund/start-refunds';
import { foreignPayments } from './foreign-payment';
import { untilKnown } from '../webhook/until-known';
import type { WebhookEventSoFar } from '../webhook/webhook-event.contract';
import type { RefundDue } from '../order/order.contract';
import type {
  AppliedEvent,
  AppliedReport,
  PaymentEventActivities,
  PaymentEventInput,
  PaymentEventResult,
} from './payment-event.contract';
import { walletWithdrawalProcess, withdrawalChargedBack } from '../payout/wallet-withdrawal.contract';
import { tellPayable } from './tell-payable';
import { chargebackDecided, paymentRefundProcess, refundReported } from '../refund/payment-refund.contract';

/** One report of a payment provider: applied once in the database; then the process of what was paid for is signalled. */
export async function paymentEvent(input: PaymentEventInput): Promise<PaymentEventResult> {
  const { webhookEventId, provider, before = { begun: now() } } = input;
  const renew = (): Promise<never> => continueAsNew<typeof paymentEvent>({ ...input, before });
  const parking = parkingFor(webhookEventId, renewalBy(renew));
  if (before.applied) return decided(parking, before.applied);
  const local = localTransactions<PaymentEventActivities>();
  const isForeign = foreignPayments(provider);
  const apply = async (): Promise<AppliedEvent> => {
    const event = { webhookEventId, at: now() };
    const applied = await local.applyPaymentEvent(event);
    if (applied.outcome !== 'UNKNOWN_PAYMENT' || applied.paymentId === undefined) return applied;
    if (!(await isForeign(applied.paymentId))) return applied;
    return local.applyPaymentEvent({ ...event, isForeign: true });
  };
  const applied = await parking.orAbandoned(() =>
    untilKnown<AppliedEvent>({
      parking,
      apply,
      isUnknown: ({ outcome }) => outcome === 'UNKNOWN_PAYMENT',
      begun: before.begun,
      about: 'payment',
    }),
  );
  if (applied === 'ABANDONED') return markDead(webhookEventId, 'An operator gave it up.');
  if (applied.outcome === 'UNKNOWN_PAYMENT')
    return markDead(webhookEventId, 'It speaks of a payment that we do not know.');
  if (applied.outcome === 'FOREIGN') return ended('IGNORED', 'Its payment is of another system.');
  if (applied.outcome === 'DISCARDED') return ended('DISCARDED', 'An administrator has discarded it.');

  const { outcome, userId, refundsDue, refundsToWake = [], withdrawalsEnded = [], label } = applied;
  const { refundsReported = [] } = applied;
  upsertSearchAttributes([
    ...(applied.orderId === undefined ? [] : [{ key: searchAttributes.orderId, value: applied.orderId }]),
    { key: searchAttributes.userId, value: userId },
  ]);
  if (outcome === 'RETURNED') log.warn('money paid nothing and goes back', { refundsDue });
  await startRefunds(refundsDue);
  for (const refund of refundsToWake) await wakeRefund(refund);
  for (const refund of refundsReported) await tellRefund(refund);
  for (const payoutId of withdrawalsEnded)
    await notify(walletWithdrawalProcess, { payoutId }, withdrawalChargedBack);
  await tellPayable(applied, { isToFulfil: applied.awaitsFulfilment });
  const words = `${label}. ${CLOSING_WORDS[outcome]}`;
  if (applied.toDecide === undefined) return ended('PROCESSED', words);
  before.applied = { toDecide: applied.toDecide, words };
  return decided(parking, before.applied);
}

/** Ends once a person has made the decision about an applied report. */
async function decided(
  parking: Parking,
  { toDecide, words }: NonNullable<WebhookEventSoFar['applied']>,
): Promise<PaymentEventResult> {
  await parking.ask(toDecide, () => false);
  return ended('PROCESSED', words);
}

async function ended(result: PaymentEventResult, words: string): Promise<PaymentEventResult> {
  setCurrentDetails(words);
  await handlersFinished();
  return result;
}

const CLOSING_WORDS: Record<AppliedReport['outcome'], string> = {
  APPLIED: 'Applied.',
  RETURNED: 'The money came late, twice or in another amount; it is booked and on its way back.',
  WITHOUT_EFFECT: 'Changed nothing: it is a repeat, or came too late.',
};

async function markDead(webhookEventId: string, reason: string): Promise<PaymentEventResult> {
  const local = localTransactionsForever<PaymentEventActivities>();
  await local.markEventDead({ webhookEventId, reason, at: now() });
  return ended('DEAD', `Dead: ${reason}`);
}

/** Makes the process of a refund read its state again; one that has ended is run once more. */
async function wakeRefund(refund: RefundDue): Promise<void> {
  await startDetached(paymentRefundProcess, refund);
  if (!(await notify(paymentRefundProcess, refund, chargebackDecided)))
    await startDetached(paymentRefundProcess, refund);
}

/** Tells the process of a refund that its provider has reported on it; one that has ended is run once more. */
async function tellRefund(refund: RefundDue): Promise<void> {
  await startDetached(paymentRefundProcess, refund);
  if (!(await notify(paymentRefundProcess, refund, refundReported)))
    await startDetached(paymentRefundProcess, refund);
}
