import { openRefunds } from '../../db/commerce/capture.transitions';
import { attemptsOf, type PaymentAttempt } from '../../db/commerce/payment-attempt.transitions';
import type { Db } from '../../db/sql';
import { inTransaction } from '../../db/transaction';
import type { PaymentLookupActivities } from '../../workflows/commerce/checkout.contract';
import { applyToOrder } from './payment-event.activities';
import { providerOf, type Payments } from './payment-offer';
import { requireOrder } from './place-order';

/** Finds money whose report was lost, before its order is given up. No transaction is open while providers answer. */
export const paymentLookupActivities = ({
  db,
  payments,
}: {
  db: Db;
  payments: Payments;
}): PaymentLookupActivities => ({
  async lookUpPayments({ orderId, provider: code, at }) {
    const provider = providerOf(payments, code);
    const { attempts, isOver } = await inTransaction(db, async (tx) => {
      const { status, payBy } = await requireOrder(tx, orderId);
      const waits = status === 'PENDING_PAYMENT';
      return { attempts: waits ? await attemptsOf(tx, orderId) : [], isOver: payBy <= at };
    });
    const own = attempts.filter((attempt) => goesThroughProvider(attempt) && attempt.provider === code);
    for (const attempt of own) {
      const payment = { key: attempt.id, reference: attempt.providerReference };
      // First closed, then asked: what comes after the answer would have to be sent back.
      if (isOver || attempt.status !== 'PENDING') await provider.closePayment(payment);
      const reports = await provider.lookUpPayment(payment);
      for (const report of reports) await inTransaction(db, (tx) => applyToOrder(tx, attempt, report, at));
    }
    // All that is due, not only what was found now: the answer of a try before this one may have been lost.
    const due = await inTransaction(db, (tx) => openRefunds(tx, orderId));
    return due.map(({ id }) => ({ refundId: id, orderId }));
  },
});

/** Whether money of the attempt comes through a company that can be asked about it. */
export const goesThroughProvider = ({ method }: PaymentAttempt): boolean =>
  method === 'CARD' || method === 'EWALLET';
