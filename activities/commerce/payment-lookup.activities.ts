import { attemptsOf, type PaymentAttempt } from '../../db/commerce/payment-attempt.transitions';
import type { Db } from '../../db/sql';
import { inTransaction } from '../../db/transaction';
import type { PaymentLookupActivities } from '../../workflows/commerce/checkout.contract';
import type { RefundDue } from '../../workflows/commerce/order.contract';
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
  async lookUpPayments({ orderId, at }) {
    const attempts = await inTransaction(db, async (tx) => {
      const order = await requireOrder(tx, orderId);
      return order.status === 'PENDING_PAYMENT' ? attemptsOf(tx, orderId) : [];
    });
    const refundsDue: RefundDue[] = [];
    for (const attempt of attempts.filter(goesThroughProvider)) {
      const reports = await providerOf(payments, attempt.provider).lookUpPayment(attempt.id);
      for (const report of reports) {
        const effect = await inTransaction(db, (tx) => applyToOrder(tx, attempt, report, at));
        refundsDue.push(...effect.refundsDue);
      }
    }
    return refundsDue;
  },
});

const goesThroughProvider = ({ method }: PaymentAttempt): boolean =>
  method === 'CARD' || method === 'EWALLET';
