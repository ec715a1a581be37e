import type { PaymentEventProviderActivities } from '../../../../workflows/commerce/payment/payment-event.contract';
import { providerOf, type Payments } from '../payment-offer';

export const foreignPaymentActivities = ({
  payments,
}: {
  payments: Payments;
}): PaymentEventProviderActivities => ({
  isForeignPayment: async ({ provider, paymentId }) =>
    (await providerOf(payments, provider).isForeign?.(paymentId)) ?? false,
});
