import type { SignalDefinition } from '@temporalio/common';
import { continueAsNew, upsertSearchAttributes } from '@temporalio/workflow';
import { refusalIn } from '../../errors';
import { Entity } from '../../kit/entity';
import type { Next } from '../../kit/lifecycle';
import {
  durableTransactions,
  localTransactions,
  localTransactionsForever,
  now,
  provider,
} from '../../kit/proxies';
import { searchAttributes } from '../../kit/search-attributes';
import { DAY_MS } from '../../kit/values/durations.rules';
import * as contract from './payout.contract';
import type { PayoutActivities, PayoutProviderActivities, PayoutState } from './payout.contract';
import { arrivedThrough, paymentFailed } from './payout-refusals';
import { after, transferOut, type Reminders, type TransferSteps } from './transfer-out';
import { sendAtOnce } from './transfer/send-at-once';

/** Differences between kinds of payouts. */
export interface PayoutFlow {
  /** The endpoint at which a person settles it. */
  settledAt: string;
  /** Says that something else has ended it. While it waits for people it is looked at every day, since a signal may be lost. */
  endedByOther?: SignalDefinition;
  /** Concludes what its completion has begun, before the process ends; left out: nothing. */
  whenCompleted?: () => Promise<void>;
}

type Flow = (input: contract.PayoutInput) => Promise<contract.PayoutResult>;

/** True from when the process follows a transfer until an administrator has been told of its end. */
interface Following extends Reminders {
  isUnanswered: boolean;
  /** True if a report of a person was not answered with the new state, and may have settled it. */
  mayBeSettled: boolean;
}

/**
 * The body of the processes of payouts: people decide, its provider or a person sends the money, and it stays PROCESSING until
 * the outcome is certain. A refusal that nobody was answered parks, so that operators see it.
 */
export async function followPayout(
  input: contract.PayoutInput,
  { settledAt, endedByOther, whenCompleted }: PayoutFlow,
): Promise<contract.PayoutResult> {
  const { payoutId, isUnanswered = false, remindAt = '' } = input;
  const following: Following = { isUnanswered, mayBeSettled: false, remindAt };
  const payout = new Entity<PayoutState>({
    id: payoutId,
    reading: 'read the state of the payout',
    read: () => localTransactions<PayoutActivities>().payoutState({ payoutId }),
    ...(input.exists && { exists: true }),
    renew: () => {
      const { isUnanswered, remindAt } = following;
      return continueAsNew<Flow>({ ...input, isUnanswered, remindAt });
    },
  });
  registerDecisions(payout, input, following);
  if (endedByOther) payout.hears(endedByOther, 'Something else has ended it.');
  const steps: TransferSteps = {
    send: (code) => provider<PayoutProviderActivities>(code).sendPayout({ payoutId, at: now() }),
    handOver: () => localTransactionsForever<PayoutActivities>().handOverPayout({ payoutId, at: now() }),
    settledAt,
    isSettled: () => payout.state?.status !== 'PROCESSING' || following.mayBeSettled,
  };
  const send = transferOut(payout, steps, following);
  const { awaitDecision, awaitProcessing } = awaitPeople(payout, following, endedByOther !== undefined);
  return payout.follow<contract.PayoutResult>({
    async next(state) {
      switch (state.status) {
        case 'PENDING':
          return awaitDecision('Waits for an administrator to approve or reject it.', state.overdueAt);
        case 'APPROVED':
          return awaitProcessing(state);
        case 'PROCESSING':
          if (state.transfer === null) throw new Error('Money on its way out has a transfer.');
          following.isUnanswered = true;
          following.mayBeSettled = false;
          return send(state.transfer);
        case 'COMPLETED':
          if (whenCompleted)
            await payout.parking.orAbandoned(() => payout.step('conclude the payout', whenCompleted));
          return { ended: 'COMPLETED' };
        case 'REJECTED':
        case 'CANCELLED':
          return { ended: state.status };
      }
    },
    closing: {
      REFUSED: 'Refused: nothing was requested.',
      COMPLETED: 'The money has arrived.',
      REJECTED: 'Rejected.',
      CANCELLED: 'Cancelled; the money is back.',
    },
    refused: 'REFUSED',
  });
}

/** The waits for administrators: for a decision, and for the processing of what was approved. */
function awaitPeople(payout: Entity<PayoutState>, following: Following, looksAgain: boolean) {
  let lookedAt = '';

  /** Waits for a decision. One that takes too long parks, again every day; the state is read once more before. */
  const awaitDecision = (words: string, overdueAt: string | null): Next<never> => {
    const dueAt = overdueAt !== null && overdueAt > following.remindAt ? overdueAt : following.remindAt;
    const isLook = looksAgain && lookedAt < dueAt;
    const reminder = `${words} It takes too long; retry reminds of it again in a day.`;
    return {
      words,
      until: isLook && after(DAY_MS) < dueAt ? after(DAY_MS) : dueAt,
      summary: isLook ? 'looks whether it has ended' : 'reminds of the decision',
      async whenDue(changed) {
        lookedAt = now();
        if (!isLook) await payout.parking.ask(reminder, changed);
        if (!isLook) following.remindAt = after(DAY_MS);
        payout.readAgain();
      },
    };
  };

  const awaitProcessing = ({ lastRefusal, overdueAt }: PayoutState): Next<never> => {
    if (lastRefusal !== null) upsertSearchAttributes([{ key: searchAttributes.stage, value: null }]);
    if (!following.isUnanswered || lastRefusal === null)
      return awaitDecision('Approved; waits for an administrator to process it.', overdueAt);
    const words = `The transfer was refused: ${lastRefusal} Process it again, or reject it.`;
    return {
      words,
      until: now(),
      async whenDue(changed) {
        await payout.parking.ask(words, changed);
        following.isUnanswered = false;
        payout.readAgain();
      },
    };
  };

  return { awaitDecision, awaitProcessing };
}

function registerDecisions(
  payout: Entity<PayoutState>,
  input: contract.PayoutInput,
  following: Following,
): void {
  const { payoutId } = input;
  const durable = durableTransactions<PayoutActivities>();
  const stateIn = (state: PayoutState): PayoutState => state;
  payout.opens(
    contract.requestPayout,
    (request) => durable.requestPayout({ ...input, ...request, at: now() }),
    { stateIn },
  );
  payout.decides(
    contract.approvePayout,
    (decision) => durable.approvePayout({ ...decision, payoutId, at: now() }),
    { stateIn, description: 'Approve it; it is then to be processed.' },
  );
  payout.decides(
    contract.rejectPayout,
    (decision) => durable.rejectPayout({ ...decision, payoutId, at: now() }),
    { stateIn, description: 'Reject it; its money goes back, or is forfeited.' },
  );
  payout.decides(
    contract.cancelPayout,
    (decision) => durable.cancelPayout({ ...decision, payoutId, at: now() }),
    { stateIn, description: 'Cancel it; its money goes back.' },
  );
  payout.decides(
    contract.processPayout,
    async (decision) => {
      const begun = await durable.processPayout({ ...decision, payoutId, at: now() });
      await sendAtOnce(payoutId, begun);
      const state = await localTransactions<PayoutActivities>().payoutState({ payoutId });
      if (state?.status === 'PROCESSING' || state?.status === 'COMPLETED') return state;
      payout.readAgain();
      throw paymentFailed(state?.lastRefusal ?? null);
    },
    { stateIn, description: 'Send the money.' },
  );
  payout.decides(
    contract.completePayout,
    async (report) => {
      try {
        const { arrivedBy, ...state } = await durable.completePayout({ ...report, payoutId, at: now() });
        following.isUnanswered = false;
        if (arrivedBy === undefined) return state;
        throw arrivedThrough(arrivedBy);
      } catch (error) {
        // Also after a refusal: the step may have completed it before, and its answer was lost.
        payout.readAgain();
        following.mayBeSettled = refusalIn(error)?.code !== 'CANNOT_SETTLE';
        throw error;
      }
    },
    { stateIn, description: 'Say that the transfer from our bank account was sent, or refused.' },
  );
}
