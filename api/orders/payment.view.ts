import { z } from 'zod';
import type { PaymentOffer } from '../../workflows/commerce/order/checkout.contract';
import { toMajor } from '../../workflows/commerce/money.rules';
import { PaymentMethodField } from './order.view';

/** The means to pay an order: a page for cards and wallets, an account for transfers, neither for a balance. */
export const PaymentBlock = z
  .object({
    method: PaymentMethodField,
    amount: z.number(),
    currency: z.string(),
    paymentUrl: z.string().optional(),
    bankDetails: z
      .object({ bankName: z.string(), accountNumber: z.string(), bik: z.string(), purpose: z.string() })
      .optional(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'OrderPayment' });

export const showPayment = (offer: PaymentOffer): z.input<typeof PaymentBlock> => ({
  method: offer.method,
  amount: toMajor(offer.amountMinor, offer.currency),
  currency: offer.currency,
  ...(offer.paymentUrl !== null && { paymentUrl: offer.paymentUrl }),
  ...(offer.bankDetails && { bankDetails: offer.bankDetails }),
  expiresAt: offer.expiresAt,
});
