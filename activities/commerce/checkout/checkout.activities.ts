import type { Placement } from '../../../db/commerce/checkout/placement.reads';
import { openRefunds } from '../../../db/commerce/payment/capture.transitions';
import { attemptsOf, goesThroughProvider } from '../../../db/commerce/payment/payment-attempt.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { CheckoutActivities, PlacedOrder } from '../../../workflows/commerce/order/checkout.contract';
import { orderActivities } from '../order/order.activities';
import { orderStateOf } from '../order/require-order';
import { applyFoundPayments } from '../payment/apply-look-ups';
import { labelled } from '../refund/label-refunds';
import { paymentOffer, type Payments } from '../payment/payment-offer';
import { expireOrder } from './expire-order';
import { openPayment } from './open-payment';
import { placeOrder } from './place-order';

/** The steps of a checkout. Each is one transaction and may run again: it then answers the earlier result. */
export const checkoutActivities = ({
  db,
  payments,
  policy,
}: {
  db: Db;
  payments: Payments;
  policy: Policy;
}): CheckoutActivities => ({
  ...orderActivities({ db }),

  async placeOrder(command) {
    const placement = await placeOrder(db, command, { payments, policy });
    return placedOrder(placement, await paymentOffer(payments, placement));
  },

  async openPayment(command) {
    const placement = await openPayment(db, command, { payments, policy });
    return { standing: orderStateOf(placement), payment: await paymentOffer(payments, placement) };
  },

  providersToAsk: ({ orderId }) =>
    inTransaction(db, async (tx) => {
      const attempts = (await attemptsOf(tx, orderId)).filter(goesThroughProvider);
      return [...new Set(attempts.map(({ provider }) => provider))];
    }),

  applyLookUps: ({ orderId, ...lookUps }) =>
    inTransaction(db, async (tx) => {
      await applyFoundPayments(tx, orderId, lookUps);
      // All refunds that are due, not only new ones: the answer of an earlier try may have been lost.
      const due = await openRefunds(tx, orderId);
      return labelled(
        tx,
        due.map(({ id }) => ({ refundId: id, orderId })),
      );
    }),

  expireOrder: (order) => expireOrder(db, order),
});

function placedOrder(placement: Placement, payment: PlacedOrder['payment']): PlacedOrder {
  return {
    standing: orderStateOf(placement),
    orderNumber: placement.orderNumber,
    payment,
    summaryMinor: {
      subtotal: placement.subtotalMinor,
      discount: placement.discountMinor,
      shipping: placement.shippingMinor,
      tax: placement.taxMinor,
      total: placement.totalMinor,
    },
    estimatedDelivery: placement.estimatedDelivery,
  };
}
