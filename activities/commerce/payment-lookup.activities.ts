import {
  attemptsOf,
  goesThroughProvider,
  type PaymentAttempt,
} from '../../db/commerce/payment-attempt.transitions';
import type { Db } from '../../db/sql';
import { inTransaction } from '../../db/transaction';
import type { FoundPayment, PaymentLookupActivities } from '../../workflows/commerce/checkout.contract';
import type { PaymentHandle, PaymentProvider } from '../providers/payments/port';
import { applyFoundPayments } from './apply-look-ups';
import { providerOf, type Payments } from './payment-offer';
import { requireOrder } from './place-order';

/** How many attempts a provider is asked about at a time. */
const AT_ONCE = 5;

/** Finds money whose report was lost, before its order is given up. No transaction is open while a provider answers. */
export const paymentLookupActivities = ({
  db,
  payments,
}: {
  db: Db;
  payments: Payments;
}): PaymentLookupActivities => ({
  async lookUpPayments({ orderId, provider: code, at }) {
    const { attempts, isOver } = await inTransaction(db, async (tx) => {
      const { payBy } = await requireOrder(tx, orderId);
      return { attempts: await attemptsOf(tx, orderId), isOver: payBy <= at };
    });
    const asked = attempts.filter((attempt) => goesThroughProvider(attempt) && attempt.provider === code);
    const { found, failures } = await ask(providerOf(payments, code), asked, isOver);
    if (failures.length === 0) return found;
    await inTransaction(db, (tx) => applyFoundPayments(tx, orderId, { found, complete: false, at }));
    throw failures[0];
  },
});

/** What a provider says of attempts, and why it says nothing of the others. */
async function ask(
  provider: PaymentProvider,
  attempts: readonly PaymentAttempt[],
  isOver: boolean,
): Promise<{ found: FoundPayment[]; failures: unknown[] }> {
  // First all are closed, then asked: money that came after an answer would have to be sent back.
  const toClose = attempts.filter(({ status }) => isOver || status !== 'PENDING');
  const closed = await inGroups(toClose, (attempt) => provider.closePayment(handleOf(attempt)));
  const answers = await inGroups(attempts, async (attempt) => {
    const reports = await provider.lookUpPayment(handleOf(attempt));
    return reports.map((report) => ({ attemptId: attempt.id, report }));
  });
  const reports = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failures = [...closed, ...answers].flatMap((outcome): unknown[] =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  );
  return { found: reports, failures };
}

const handleOf = ({ id: key, providerReference: reference }: PaymentAttempt): PaymentHandle => ({
  key,
  reference,
});

/** Works on a few at a time; one that fails does not keep the others from being tried. */
async function inGroups<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const outcomes: PromiseSettledResult<Result>[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE)
    outcomes.push(...(await Promise.allSettled(items.slice(from, from + AT_ONCE).map(work))));
  return outcomes;
}
