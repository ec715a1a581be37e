import { setHandler } from '@temporalio/workflow';
import { refusalIn } from '../../../errors';
import { durableTransactions, now, oneAtATime } from '../../../kit/proxies';
import { Answers } from '../../../kit/waiting/answers';
import {
  chargebackDecided,
  refundReported,
  settleRefund,
  type PaymentRefundActivities,
  type RefundSettlement,
} from '../payment-refund.contract';

/** The messages that a refund's process has received. */
export interface Signals {
  /** The number of settlements that have ended, booked or refused. */
  settlements: number;
  /** The number of settlements that were refused and changed nothing; an unknown outcome is not among them. */
  refused: number;
  /** The number of settlements that were booked. */
  settled: number;
  /** The number of decided chargebacks of the payment. */
  chargebacks: number;
  /** The number of reports of the provider on the refund. */
  reports: number;
  /** True while it waits for a person because it takes too long. */
  isOverdue: boolean;
  readonly serially: ReturnType<typeof oneAtATime>;
  /** The answers to settlements. */
  readonly answers: Answers;
}

/** Counts them from now on; `isOverdue`: an earlier run has waited for a person. Call it before the first await of the process. */
export function receiveSignals(refundId: string, isOverdue: boolean): Signals {
  const state: Signals = {
    ...{ settlements: 0, refused: 0, settled: 0, chargebacks: 0, reports: 0 },
    isOverdue,
    serially: oneAtATime(),
    answers: new Answers(),
  };
  acceptSettlements(refundId, state);
  const count = (what: 'chargebacks' | 'reports') => (): void => {
    state[what]++;
  };
  setHandler(chargebackDecided, count('chargebacks'), {
    description: 'A chargeback of the payment was lost, or returned.',
  });
  setHandler(refundReported, count('reports'), { description: 'Its provider has reported on the refund.' });
  return state;
}

function acceptSettlements(refundId: string, state: Signals): void {
  const durable = durableTransactions<PaymentRefundActivities>();
  setHandler(
    settleRefund,
    state.answers.counted((settlement: RefundSettlement) =>
      state.serially(async () => {
        try {
          await durable.settleRefund({ ...settlement, refundId, at: now() });
          state.settled++;
          return null;
        } catch (error) {
          // It may have ended the refund although it was refused: its provider had sent it, or the outcome is unknown.
          if (['ALREADY_SETTLED', undefined].includes(refusalIn(error)?.code)) state.settled++;
          else state.refused++;
          throw error;
        } finally {
          state.settlements++;
        }
      }),
    ),
    { description: 'Say that the money was sent from our bank account.' },
  );
}

/** The number of signals that may have ended the refund, or may let it go on. */
export const changesOf = ({ settled, chargebacks, reports }: Signals): number =>
  settled + chargebacks + reports;
