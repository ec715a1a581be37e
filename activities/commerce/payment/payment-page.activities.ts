import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { keepPage, paymentToOpen } from '../../../db/commerce/payment/payment-page.transitions';
import type { Db } from '../../../db/sql/query';
import type { PaymentPageActivities } from '../../../workflows/commerce/order/checkout.contract';
import { ProviderRefusal } from '../../providers/payments/port';
import { providerOf, type Payments } from './payment-offer';

/** Opens pages at providers that have to be asked for one. No transaction is open while they answer. */
export const paymentPageActivities = ({
  db,
  payments,
}: {
  db: Db;
  payments: Payments;
}): PaymentPageActivities => ({
  async openPage({ attemptId }) {
    const attempt = await paymentToOpen(db, attemptId);
    if (!attempt) throw new Error(`There is no attempt ${attemptId} to pay.`);
    const { provider, method, status, orderNumber: description, paymentUrl, ...payment } = attempt;
    if (paymentUrl !== null) return { paymentUrl };
    if (status !== 'PENDING' || (method !== 'CARD' && method !== 'EWALLET')) return { paymentUrl: null };
    try {
      const opening = { ...payment, key: attemptId, method, description };
      const page = await providerOf(payments, provider).openPayment(opening);
      await keepPage(db, attemptId, page);
      return { paymentUrl: page.paymentUrl };
    } catch (error) {
      if (!(error instanceof ProviderRefusal)) throw error;
      throw ApplicationFailure.create({
        message: `The provider opens no page: ${error.message}`,
        type: 'PageRefused',
        nonRetryable: true,
        category: ApplicationFailureCategory.BENIGN,
      });
    }
  },
});
