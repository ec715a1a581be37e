import { z } from 'zod';
import type { OpenAttempt } from '../../db/commerce/order/order.reads';
import type { PaymentOffer } from '../../workflows/commerce/order/checkout.contract';
import { toMajor } from '../../workflows/commerce/money.rules';
import type { PaymentMethod } from '../../workflows/commerce/payment/payment.rules';

export const PaymentMethodField = z.enum([
  'CARD',
  'BANK_TRANSFER',
  'EWALLET',
  'BALANCE',
] as const satisfies readonly PaymentMethod[]);

const means = {
  paymentUrl: z.string().optional(),
  bankDetails: z
    .object({ bankName: z.string(), accountNumber: z.string(), bik: z.string(), purpose: z.string() })
    .optional(),
};

/** The means to pay an order: a page for cards and wallets, an account for transfers, neither for a balance. */
export const PaymentBlock = z
  .object({
    method: PaymentMethodField,
    amount: z.number(),
    currency: z.string(),
    ...means,
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'OrderPayment' });

/** The same for an order that was placed before; all left out unless an attempt to pay is open. */
export const openMeans = { ...means, expiresAt: z.iso.datetime().optional() };

const showMeans = ({ paymentUrl, bankDetails }: Pick<PaymentOffer, 'paymentUrl' | 'bankDetails'>) => ({
  ...(paymentUrl !== null && { paymentUrl }),
  ...(bankDetails && { bankDetails }),
});

export const showPayment = (offer: PaymentOffer): z.input<typeof PaymentBlock> => ({
  method: offer.method,
  amount: toMajor(offer.amountMinor, offer.currency),
  currency: offer.currency,
  ...showMeans(offer),
  expiresAt: offer.expiresAt,
});

/** The means of an open attempt to pay; nothing once its time has passed. */
export function showOpenMeans(attempt: OpenAttempt | null, at: Date) {
  if (!attempt || new Date(attempt.expiresAt) <= at) return {};
  return { ...showMeans(attempt), expiresAt: new Date(attempt.expiresAt).toISOString() };
}
