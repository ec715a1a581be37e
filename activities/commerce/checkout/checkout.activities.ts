import type { Placement } from '../../../db/commerce/checkout/placement.reads';
import type { CheckoutActivities, PlacedOrder } from '../../../workflows/commerce/checkout/checkout.contract';
import { steps } from '../../steps';
import { orderUseCases } from '../order/order.activities';
import { orderStateOf, orderStateWithPages } from '../order/require-order';
import { foundMoneyUseCases } from '../payment-event/found-money.activities';
import { paymentOffer } from '../payment/payment-offer';
import { expireOrder } from './expire-order';
import { openPayment } from './open-payment';
import { placeOrder, type CheckoutDeps } from './place-order';

/** The steps of a checkout. Each is one transaction and may run again: it then returns the earlier result. */
export const checkoutActivities = (deps: CheckoutDeps): CheckoutActivities =>
  steps<CheckoutActivities, CheckoutDeps>(deps, {
    ...orderUseCases,
    ...foundMoneyUseCases,

    async placeOrder(use, command) {
      const placement = await placeOrder(use, command);
      return placedOrder(placement, paymentOffer(placement));
    },

    async openPayment(use, command) {
      const placement = await openPayment(use, command);
      const standing = await orderStateWithPages(use.db, placement);
      return { standing, payment: paymentOffer(placement) };
    },

    expireOrder,
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
