import {
  condition,
  continueAsNew,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { parkingFor, type Parking } from '../../kit/parking';
import { searchAttributes } from '../../kit/search-attributes';
import {
  handlersFinished,
  now,
  provider,
  localTransactions,
  localTransactionsForever,
} from '../../kit/proxies';
import { notify } from '../../kit/signals';
import { renewalBy } from '../../kit/waiting/renewal';
import { fulfilmentProcess } from '../fulfilment/fulfilment.contract';
import { orderMoved, type RefundDue } from '../order/order.contract';
import type {
  PaymentRefundResult,
  PaymentRefundState,
  PaymentRefundActivities,
  PaymentRefundProviderActivities,
  SentRefund,
} from './payment-refund.contract';
import { refundRequestProcess, refundSettled } from './refund-request.contract';
import { changesOf, receiveSignals, type Signals } from './sending/signals';
import { pendingWaits } from './sending/while-pending';

/**
 * One amount on its way back to a buyer. When the provider refuses, or does not answer, the process parks; what the provider
 * has pending is waited for. Money that came to our bank account is sent by a person. A run for a refund that was given up only settles it, or looks it up.
 */
export async function paymentRefund(
  input: RefundDue & { isOverdue?: boolean },
): Promise<PaymentRefundResult> {
  const { refundId, isOverdue = false } = input;
  const forever = localTransactionsForever<PaymentRefundActivities>();
  const state = receiveSignals(refundId, isOverdue);
  const renew = (): Promise<never> =>
    continueAsNew<typeof paymentRefund>({ ...input, isOverdue: state.isOverdue });
  const parking = parkingFor(refundId, renewalBy(renew, state.answers));
  for (;;) {
    const { chargebacks } = state;
    const outcome = await parking.orAbandoned(() => untilSent(refundId, state, parking));
    const end = outcome === 'ABANDONED' ? await untilGivenUp(refundId, state, parking) : 'OVER';
    parking.goesOn();
    if (end === 'SEND_AGAIN') continue;
    await handlersFinished();
    if (end === 'MISSING') return 'ABANDONED';
    if (state.settlements > 0) await sleep(1, { summary: 'closes after the answer' });
    const refund = await forever.paymentRefundState({ refundId });
    await signalOthers(refund);
    const result = refund.status === 'PROCESSING' ? 'ABANDONED' : refund.status;
    setCurrentDetails(CLOSING_WORDS[result]);
    await handlersFinished();
    // A refund that had ended by a chargeback is owed again when that is returned.
    if (state.chargebacks === chargebacks) return result;
  }
}

const CLOSING_WORDS: Record<PaymentRefundResult, string> = {
  COMPLETED: 'The money is back with the buyer.',
  CHARGED_BACK: "The buyer's bank has given the buyer this money, by a chargeback that we lost.",
  ABANDONED: 'Given up by an operator; the buyer is still owed the money, and it can be settled by hand.',
};

async function untilSent(refundId: string, state: Signals, parking: Parking): Promise<void> {
  const local = localTransactions<PaymentRefundActivities>();
  const readState = (): Promise<PaymentRefundState> =>
    parking.step('read the state of the refund', () =>
      state.serially(() => local.paymentRefundState({ refundId })),
    );
  const isSent = async (): Promise<boolean> => (await readState()).status !== 'PROCESSING';
  const { status, awaitsLookUp } = await readState();
  if (status !== 'PROCESSING' && !awaitsLookUp) return;
  const code = await parking.step('find the provider that sends the money back', () =>
    local.refundProvider({ refundId }),
  );
  let tries = 0;
  let seen = changesOf(state);
  let { chargebacks } = state;
  const untilLooked = pendingWaits(state, parking);
  const send = (): Promise<SentRefund> => {
    setCurrentDetails('Asking the provider to send the money back.');
    return parking.step(
      'send the money back through the provider',
      (isRetry) => {
        seen = changesOf(state);
        const isNext = isRetry || state.chargebacks !== chargebacks;
        ({ chargebacks } = state);
        return provider<PaymentRefundProviderActivities>(code).sendRefund({
          refundId,
          again: tries++ > 0,
          isNext,
          at: now(),
        });
      },
      () => changesOf(state) !== seen,
    );
  };
  let sent = await send();
  while (sent.sentBy === 'PROVIDER_LATER') {
    await untilLooked({ overdueAfterMs: sent.overdueAfterMs, seen });
    sent = await send();
  }
  if (sent.sentBy === 'NOBODY') return;
  if (sent.sentBy === 'PERSON') await untilSettled(state, sent.remindAfterMs, isSent, parking);
  else {
    const { providerRefundId } = sent;
    await parking.step('book the refund', () =>
      local.completeRefund({ refundId, providerRefundId, at: now() }),
    );
  }
}

/**
 * Leaves the refund to a person. While its provider may have sent it, nobody else does: it waits for an operator, for a report, or for a
 * person's word. SEND_AGAIN: it stays with its provider, which is asked again.
 */
async function untilGivenUp(
  refundId: string,
  state: Signals,
  parking: Parking,
): Promise<'OVER' | 'MISSING' | 'SEND_AGAIN'> {
  const forever = localTransactionsForever<PaymentRefundActivities>();
  for (;;) {
    const seen = changesOf(state);
    const abandoned = await forever.abandonRefund({ refundId, at: now() });
    if (abandoned === null) return 'OVER';
    if (abandoned === 'MISSING') return 'MISSING';
    const decision = await parking.ask(abandoned.kept, () => changesOf(state) !== seen);
    if (decision !== 'abandon') return 'SEND_AGAIN';
  }
}

const TRANSFER_WORDS =
  'Waits for a person to send the money from our bank account and to settle it: POST /admin/payment-refunds/:id/settle.';

/** Waits for a person; after `remindAfterMs` the process parks. */
async function untilSettled(
  state: Signals,
  remindAfterMs: number,
  isSent: () => Promise<boolean>,
  parking: Parking,
): Promise<void> {
  setCurrentDetails(TRANSFER_WORDS);
  upsertSearchAttributes([{ key: searchAttributes.stage, value: 'AWAITING_TRANSFER' }]);
  for (;;) {
    const { settlements } = state;
    if (await isSent()) break;
    const changed = (): boolean => state.settlements !== settlements;
    if (state.isOverdue || !(await condition(changed, remindAfterMs, { summary: 'reminds of the transfer' })))
      await whileOverdue(state, isSent, parking);
  }
  upsertSearchAttributes([{ key: searchAttributes.stage, value: 'SENT' }]);
}

/** Parks until the refund is settled, or an operator decides to be reminded of it again. */
async function whileOverdue(state: Signals, isSent: () => Promise<boolean>, parking: Parking): Promise<void> {
  const unrefused = (): number => state.settlements - state.refused;
  for (;;) {
    const before = unrefused();
    state.isOverdue = !(await isSent());
    if (!state.isOverdue) return;
    await parking.ask(
      `${TRANSFER_WORDS} The buyer has waited too long for it; retry reminds of it again later.`,
      () => unrefused() !== before,
    );
    if (unrefused() === before) break;
  }
  state.isOverdue = false;
  setCurrentDetails(TRANSFER_WORDS);
}

/**
 * Wakes the process of the refund's request, which the database has concluded already; only orders have requests. If that
 * process has ended, because the refund had been given up, fulfilment is signalled from here once all of the order is back.
 */
async function signalOthers({ refundRequestId, orderId, orderStatus }: PaymentRefundState): Promise<void> {
  if (refundRequestId === null || orderId === undefined) return;
  const isSignalled = await notify(refundRequestProcess, { refundRequestId }, refundSettled);
  if (!isSignalled && orderStatus === 'REFUNDED') await notify(fulfilmentProcess, { orderId }, orderMoved);
}
