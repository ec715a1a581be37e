import { log } from '@temporalio/activity';
import { once } from 'node:events';
import {
  attemptsOf,
  goesThroughProvider,
  type PaymentAttempt,
} from '../../../../db/commerce/payment/payment-attempt.transitions';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type {
  FoundPayment,
  PaymentLookupActivities,
} from '../../../../workflows/commerce/payment/found-money.contract';
import { LOOK_UP_TIMES, type LookUpTimes } from '../../../../workflows/kit/limits/provider-times';
import { withHeartbeat } from '../../../heartbeat';
import type { PaymentHandle, PaymentProvider } from '../../../providers/payments/port';
import { applyFoundPayments } from './apply-look-ups';
import { lockPayable } from '../../payable/lock-payable';
import { providerOf, type Payments } from '../../payment/payment-offer';

interface LookUp {
  provider: PaymentProvider;
  times: LookUpTimes;
  /** Aborted when the activity is cancelled or its worker stops. */
  signal: AbortSignal;
  /** Applies money that the provider reported. */
  apply: (found: readonly FoundPayment[]) => Promise<void>;
}

/** Finds money whose report was lost, before what it was to pay is given up. No transaction is open while a provider answers. */
export const paymentLookupActivities = ({
  db,
  payments,
  times = LOOK_UP_TIMES,
}: {
  db: Db;
  payments: Payments;
  times?: LookUpTimes;
}): PaymentLookupActivities => ({
  lookUpPayments: ({ provider: code, at, ...payable }) =>
    withHeartbeat(async (signal) => {
      const { attempts, isOver } = await inTransaction(db, async (tx) => {
        const { payBy } = await lockPayable(tx, payable);
        return { attempts: await attemptsOf(tx, payable), isOver: payBy <= at };
      });
      const asked = attempts
        .filter((attempt) => goesThroughProvider(attempt) && attempt.provider === code)
        .reverse(); // Oldest first: the oldest money pays.
      const apply = async (found: readonly FoundPayment[]) => {
        // Its process may have gone on without this look-up: then nobody would start the refund of late money.
        signal.throwIfAborted();
        const contradictions = await inTransaction(db, (tx) =>
          applyFoundPayments(tx, payable, { found, complete: false, at }),
        );
        for (const why of contradictions)
          log.warn('a provider contradicts a payment that is recorded', { ...payable, provider: code, why });
      };
      const { found, failures } = await ask(asked, isOver, {
        provider: providerOf(payments, code),
        times,
        signal,
        apply,
      });
      if (failures.length > 0) throw failures[0];
      return found;
    }),
});

/**
 * Asks a provider about attempts; returns its reports, and the errors of the attempts without one. Money is applied with
 * each group of answers, so that a later answer that is slow or missing loses nothing.
 */
async function ask(
  attempts: readonly PaymentAttempt[],
  isOver: boolean,
  { provider, times, signal, apply }: LookUp,
): Promise<{ found: FoundPayment[]; failures: unknown[] }> {
  const untilClosed = [signal, AbortSignal.timeout(times.closingMs)];
  const untilAsked = [signal, AbortSignal.timeout(times.askingMs)];
  const [found, failures]: [FoundPayment[], unknown[]] = [[], []];

  // First all are closed, then asked: money that came after an answer would have to be sent back.
  const toClose = attempts.filter(({ status }) => isOver || status !== 'PENDING');
  for (const group of groupsOf(toClose, times.atOnce)) {
    const closed = await inTime(untilClosed, group, (attempt) => provider.closePayment(handleOf(attempt)));
    failures.push(...reasonsIn(closed));
  }
  for (const group of groupsOf(attempts, times.atOnce)) {
    const answers = await inTime(untilAsked, group, async (attempt) => {
      const reports = await provider.lookUpPayment(handleOf(attempt));
      return reports.map((report) => ({ attemptId: attempt.id, report }));
    });
    failures.push(...reasonsIn(answers));
    const reported = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (reported.some(({ report }) => report.status === 'PAID')) await apply(reported);
    found.push(...reported);
  }
  return { found, failures };
}

const handleOf = ({ id: key, providerReference: reference }: PaymentAttempt): PaymentHandle => ({
  key,
  reference,
});

function groupsOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, group) => items.slice(group * size, (group + 1) * size));
}

/** Calls for all items at once. A call that fails, or has no answer when a signal is aborted, does not fail the others. */
function inTime<Item, Result>(
  signals: readonly AbortSignal[],
  items: readonly Item[],
  call: (item: Item) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const late = (): never => {
    throw new Error('The provider did not answer in time.');
  };
  if (signals.some(({ aborted }) => aborted))
    return Promise.allSettled(items.map(() => Promise.resolve().then(late)));
  const ended = Promise.race(signals.map((signal) => once(signal, 'abort')));
  return Promise.allSettled(items.map((item) => Promise.race([call(item), ended.then(late)])));
}

const reasonsIn = (outcomes: readonly PromiseSettledResult<unknown>[]): unknown[] =>
  outcomes.flatMap((outcome): unknown[] => (outcome.status === 'rejected' ? [outcome.reason] : []));
