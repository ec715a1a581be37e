import type {
  CheckoutActivities,
  PaymentLookupActivities,
} from '../../../workflows/commerce/order/checkout.contract';
import type { RefundDue } from '../../../workflows/commerce/order/order.contract';

/** Looks an order's payments up as its process does at the end of its window: asks all providers, then applies. */
export async function lookForMoney(
  steps: Pick<
    CheckoutActivities & PaymentLookupActivities,
    'providersToAsk' | 'lookUpPayments' | 'applyLookUps'
  >,
  order: { orderId: string; at: string },
): Promise<RefundDue[]> {
  const providers = await steps.providersToAsk(order);
  const answers = await Promise.all(
    providers.map((provider) => steps.lookUpPayments({ ...order, provider })),
  );
  return steps.applyLookUps({ ...order, found: answers.flat(), complete: true });
}
