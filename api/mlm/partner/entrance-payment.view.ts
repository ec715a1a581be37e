import { z } from 'zod';
import type { PaymentOffer } from '../../../workflows/commerce/payment/payment-page.contract';
import { ENTRANCE_METHODS } from '../../../workflows/partners/membership/membership.rules';
import { PaymentBlock, paymentBlockView } from '../../orders/payment.view';

export const EntranceMethodField = z
  .enum(ENTRANCE_METHODS)
  .meta({ id: 'EntrancePaymentMethod', description: 'The means to pay an entrance fee.' });

/** The means to pay an entrance fee: a page for a card, an account for a transfer. */
export const EntrancePayment = PaymentBlock.extend({
  method: EntranceMethodField,
}).meta({
  id: 'EntrancePayment',
});

export const entrancePaymentView = ({ method, ...offer }: PaymentOffer): z.input<typeof EntrancePayment> => {
  if (method === 'EWALLET') throw new Error(`An entrance fee is not paid by ${method}.`);
  return { ...paymentBlockView({ method, ...offer }), method };
};
