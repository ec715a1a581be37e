import {
  condition,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { parkingFor, type Parking } from '../../kit/parking';
import { searchAttributes } from '../../kit/search-attributes';
import {
  durableTransactions,
  handlersFinished,
  now,
  oneAtATime,
  provider,
  localTransactions,
  localTransactionsForever,
} from '../../kit/proxies';
import { notify } from '../../kit/signals';
import { fulfilmentProcess } from '../order/fulfilment.contract';
import { orderMoved, type RefundDue } from '../order/order.contract';
import {
  chargebackDecided,
  settleRefund,
  type PaymentRefundResult,
  type PaymentRefundStanding,
  type RefundBookActivities,
  type RefundCallActivities,
} from './payment-refund.contract';
import { refundRequestProcess, refundSettled } from './refund-request.contract';

interface State {
  /** Counts settlements that came to an end, well or not. */
  settlements: number;
  /** Counts the settlements that were booked. */
  settled: number;
  /** Counts chargebacks of the payment that were decided. */
  chargebacks: number;
  readonly serially: ReturnType<typeof oneAtATime>;
}

/**
 * One sum on its way back to a buyer. A provider that refuses, or stays silent, is a matter for a person; money that came
 * to our bank account is sent by one. A run that finds the refund given up only takes its settlement, or looks it up.
 */
export async function paymentRefund({ refundId }: RefundDue): Promise<PaymentRefundResult> {
  const forever = localTransactionsForever<RefundBookActivities>();
  const parking = parkingFor(refundId);
  const state: State = { settlements: 0, settled: 0, chargebacks: 0, serially: oneAtATime() };
  takeSettlements(refundId, state);
  countChargebacks(state);

  for (;;) {
    const { chargebacks } = state;
    const outcome = await parking.orAbandoned(() => untilSent(refundId, state, parking));
    if (outcome === 'ABANDONED') await forever.abandonRefund({ refundId, at: now() });
    await handlersFinished();
    if (state.settlements > 0) await sleep(1, { summary: 'closes after the answer' });
    const standing = await forever.paymentRefundStanding({ refundId });
    await tellOthers(standing);
    const result = standing.status === 'PROCESSING' ? 'ABANDONED' : standing.status;
    setCurrentDetails(CLOSING_WORDS[result]);
    await handlersFinished();
    // What had ended by a chargeback is owed again when that is returned.
    if (state.chargebacks === chargebacks) return result;
  }
}

const CLOSING_WORDS: Record<PaymentRefundResult, string> = {
  COMPLETED: 'The money is back with the buyer.',
  CHARGED_BACK: "The buyer's bank has given the buyer this money, by a chargeback that we lost.",
  ABANDONED: 'Given up by an operator; the buyer is still owed the money, and it can be settled by hand.',
};

function countChargebacks(state: State): void {
  const decided = (): void => {
    state.chargebacks++;
  };
  setHandler(chargebackDecided, decided, {
    description: 'A chargeback of the payment was lost, or returned.',
  });
}

function takeSettlements(refundId: string, state: State): void {
  const durable = durableTransactions<RefundBookActivities>();
  setHandler(
    settleRefund,
    (settlement) =>
      state.serially(async () => {
        try {
          await durable.settleRefund({ ...settlement, refundId, at: now() });
          state.settled++;
          return null;
        } finally {
          state.settlements++;
        }
      }),
    { description: 'Say that the money was sent from our bank account.' },
  );
}

async function untilSent(refundId: string, state: State, parking: Parking): Promise<void> {
  const local = localTransactions<RefundBookActivities>();
  const standing = (): Promise<PaymentRefundStanding> =>
    parking.step('read how the refund stands', () =>
      state.serially(() => local.paymentRefundStanding({ refundId })),
    );
  const isSent = async (): Promise<boolean> => (await standing()).status !== 'PROCESSING';
  const { status, awaitsLookUp = false } = await standing();
  if (status !== 'PROCESSING' && !awaitsLookUp) return;
  const code = await parking.step('find who sends the money back', () => local.refundProvider({ refundId }));
  let tries = 0;
  let seen = changesOf(state);
  setCurrentDetails('Asking the provider to send the money back.');
  const sent = await parking.step(
    'send the money back through the provider',
    () => {
      seen = changesOf(state);
      return provider<RefundCallActivities>(code).sendRefund({ refundId, again: tries++ > 0, at: now() });
    },
    () => changesOf(state) !== seen,
  );
  if (sent.sentBy === 'NOBODY') return;
  if (sent.sentBy === 'PERSON') await untilSettled(state, sent.remindAfterMs, isSent);
  else {
    const { providerRefundId } = sent;
    await parking.step('book the refund', () =>
      local.completeRefund({ refundId, providerRefundId, at: now() }),
    );
  }
}

/** Counts what may have ended the refund, or let it go on, beside this process. */
const changesOf = ({ settled, chargebacks }: State): number => settled + chargebacks;

const TRANSFER_WORDS =
  'Waits for a person to send the money from our bank account, and to say so: POST /admin/payment-refunds/:id/settle.';

/** Waits for a person; one that takes too long for it is shown as needing parking. */
async function untilSettled(
  state: State,
  remindAfterMs: number,
  isSent: () => Promise<boolean>,
): Promise<void> {
  setCurrentDetails(TRANSFER_WORDS);
  upsertSearchAttributes([{ key: searchAttributes.stage, value: 'AWAITING_TRANSFER' }]);
  let reminded = false;
  for (;;) {
    const { settlements } = state;
    if (await isSent()) break;
    const changed = (): boolean => state.settlements !== settlements;
    if (reminded) await condition(changed);
    else if (!(await condition(changed, remindAfterMs, { summary: 'reminds of the transfer' }))) {
      reminded = true;
      setCurrentDetails(`**Needs parking.** ${TRANSFER_WORDS} The buyer has waited too long for it.`);
      upsertSearchAttributes([{ key: searchAttributes.needsAttention, value: true }]);
    }
  }
  if (reminded) upsertSearchAttributes([{ key: searchAttributes.needsAttention, value: false }]);
  upsertSearchAttributes([{ key: searchAttributes.stage, value: 'SENT' }]);
}

/**
 * What the money was asked for by is concluded in the database already; this wakes its process. One that has ended, since
 * the refund had been given up, cannot tell fulfilment any more that all of the order is back.
 */
async function tellOthers({ refundRequestId, orderId, orderStatus }: PaymentRefundStanding): Promise<void> {
  if (refundRequestId === null) return;
  const isTold = await notify(refundRequestProcess, { refundRequestId }, refundSettled);
  if (!isTold && orderStatus === 'REFUNDED') await notify(fulfilmentProcess, { orderId }, orderMoved);
}
