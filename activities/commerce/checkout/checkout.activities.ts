import type { Placement } from '../../../db/commerce/checkout/placement.reads';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import type { CheckoutActivities, PlacedOrder } from '../../../workflows/commerce/order/checkout.contract';
import { orderActivities } from '../order/order.activities';
import { orderStateOf, orderStateWithPages } from '../order/require-order';
import { foundMoneyActivities } from '../payment/found-money.activities';
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
  ...foundMoneyActivities({ db }),

  async placeOrder(command) {
    const placement = await placeOrder(db, command, { payments, policy });
    return placedOrder(placement, paymentOffer(placement));
  },

  async openPayment(command) {
    const placement = await openPayment(db, command, { payments, policy });
    const standing = await orderStateWithPages(db, placement);
    return { standing, payment: paymentOffer(placement) };
  },

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
