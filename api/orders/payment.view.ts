import { z } from 'zod';
import { topUpStates } from '../../workflows/ledger/top-up/top-up.states';
import type { OrderDetailRow } from '../../db/commerce/order/order.reads';
import type { PaymentOffer } from '../../workflows/commerce/payment/payment-page.contract';
import { toMajor } from '../../workflows/commerce/money.rules';
import type { PaymentMethod } from '../../workflows/commerce/payment/payment.rules';

export const PayableStatusField = z.enum(topUpStates.names).meta({
  id: 'PayableStatus',
  description: 'The progress of the payment of an entrance fee or of a top-up.',
});

export const PaymentMethodField = z
  .enum(['CARD', 'BANK_TRANSFER', 'EWALLET', 'BALANCE'] as const satisfies readonly PaymentMethod[])
  .meta({
    id: 'PaymentMethod',
    description: 'The means to pay an order. BALANCE: the wallet with the shop.',
  });

const means = {
  paymentUrl: z.string().optional().describe("The provider's page to send the buyer to."),
  bankDetails: z
    .object({
      bankName: z.string().describe('The name of the bank.'),
      accountNumber: z.string().describe('The number of the account to pay to.'),
      bik: z.string().describe('The BIC or BIK of the bank.'),
      purpose: z.string().describe('The text that the transfer must carry, so that it is found.'),
    })
    .optional()
    .describe('The account to pay to by bank transfer.'),
};

/** The means to pay an order: a page for cards and wallets, an account for transfers, neither for a balance. */
export const PaymentBlock = z
  .object({
    method: PaymentMethodField,
    amount: z.number(),
    currency: z.string(),
    ...means,
    expiresAt: z.iso.datetime().describe('The end of the time to pay.'),
  })
  .meta({ id: 'OrderPayment' });

/** The same in the answer of a checkout, which places the order in any case. */
export const PlacedPayment = PaymentBlock.extend({
  failureReason: z.literal('PAYMENT_REFUSED').optional().meta({
    description:
      'Why there is no page: the provider does not take this payment by this method. The order waits; pay it by another one with `POST /orders/:id/pay`.',
  }),
}).meta({ id: 'PlacedOrderPayment' });

/** The same for an order that was placed before: means while an attempt to pay is open, a time while the order waits. */
export const openMeans = {
  ...means,
  expiresAt: z.iso.datetime().optional().meta({
    description:
      'While the order can be paid: until when by these means or, where there are none, by those of POST /orders/:id/pay.',
  }),
};

const showMeans = ({ paymentUrl, bankDetails }: Pick<PaymentOffer, 'paymentUrl' | 'bankDetails'>) => ({
  ...(paymentUrl !== null && { paymentUrl }),
  ...(bankDetails && { bankDetails }),
});

export const paymentBlockView = (offer: PaymentOffer): z.input<typeof PaymentBlock> => ({
  method: offer.method,
  amount: toMajor(offer.amountMinor, offer.currency),
  currency: offer.currency,
  ...showMeans(offer),
  expiresAt: offer.expiresAt,
});

export const placedPaymentView = (offer: PaymentOffer): z.input<typeof PlacedPayment> => ({
  ...paymentBlockView(offer),
  ...(offer.isRefused && { failureReason: 'PAYMENT_REFUSED' as const }),
});

/**
 * The means of an open attempt to pay; else, while the order waits, the end of that. Attempts that are older than the
 * column of their means have none here: only workers know our account and the secrets of providers.
 */
export function openMeansView(
  { openAttempt, payBy }: Pick<OrderDetailRow, 'openAttempt' | 'payBy'>,
  at: Date,
) {
  const isOpen = openAttempt !== null && new Date(openAttempt.expiresAt) > at;
  const until = isOpen ? new Date(openAttempt.expiresAt) : payBy;
  if (until === null || until <= at) return {};
  return { ...(isOpen && showMeans(openAttempt)), expiresAt: until.toISOString() };
}
