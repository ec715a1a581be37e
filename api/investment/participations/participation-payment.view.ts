import { z } from 'zod';
import type { PaymentOffer } from '../../../workflows/commerce/payment/payment-page.contract';
import { PARTICIPATION_METHODS } from '../../../workflows/investment/participation/participation.rules';
import { PaymentBlock, paymentBlockView } from '../../orders/payment.view';

export const ParticipationMethodField = z
  .enum(PARTICIPATION_METHODS)
  .meta({ id: 'ParticipationMethod', description: 'The means to pay for a participation.' });

/** The means to pay for a participation: a page for a card, an account for a transfer. */
export const ParticipationPayment = PaymentBlock.extend({
  method: ParticipationMethodField,
}).meta({
  id: 'ParticipationPayment',
});

export const participationPaymentView = ({
  method,
  ...offer
}: PaymentOffer): z.input<typeof ParticipationPayment> => {
  if (method === 'EWALLET') throw new Error(`A participation is not paid by ${method}.`);
  return { ...paymentBlockView({ method, ...offer }), method };
};
