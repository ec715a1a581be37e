import type { PaymentEventProviderActivities } from '../../../../workflows/commerce/payment-event/payment-event.contract';
import { providerOf, type Payments } from '../../payment/payment-offer';

export const foreignPaymentActivities = ({
  payments,
}: {
  payments: Payments;
}): PaymentEventProviderActivities => ({
  isForeignPayment: async ({ provider, paymentId }) =>
    (await providerOf(payments, provider).isForeign?.(paymentId)) ?? false,
});
