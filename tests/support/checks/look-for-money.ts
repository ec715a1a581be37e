import type { RefundDue } from '../../../workflows/commerce/order/order.contract';
import type {
  FoundMoneyActivities,
  PaymentLookupActivities,
} from '../../../workflows/commerce/payment/found-money.contract';
import type { PayableRef } from '../../../workflows/commerce/payable/payable.rules';

/** Looks payments up as the process of what they are for does at the end of its window: asks all providers, then applies. */
export async function lookForMoney(
  steps: FoundMoneyActivities & PaymentLookupActivities,
  payable: PayableRef & { at: string },
): Promise<RefundDue[]> {
  const providers = await steps.providersToAsk(payable);
  const answers = await Promise.all(
    providers.map((provider) => steps.lookUpPayments({ ...payable, provider })),
  );
  return steps.applyLookUps({ ...payable, found: answers.flat(), complete: true });
}
