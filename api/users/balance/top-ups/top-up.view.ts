import { z } from 'zod';
import type { ShownTopUp } from '../../../../db/ledger/top-up/top-up-list.reads';
import type { PaymentOffer } from '../../../../workflows/commerce/payment/payment-page.contract';
import { toMajor } from '../../../../workflows/commerce/money.rules';
import { TOP_UP_METHODS } from '../../../../workflows/ledger/top-up/top-up.rules';
import { PaymentBlock, paymentBlockView, PayableStatusField } from '../../../orders/payment.view';
import { PaymentStatusField } from '../../../orders/order.view';

export const TopUpMethodField = z
  .enum(TOP_UP_METHODS)
  .meta({ id: 'TopUpPaymentMethod', description: 'The means to pay money into the wallet.' });
export const TopUpStatusField = PayableStatusField;
export const TopUpPaymentStatusField = PaymentStatusField;

/** The means to pay a top-up: a page for a card or an e-wallet, an account for a transfer. */
export const TopUpPayment = PaymentBlock.extend({
  method: TopUpMethodField,
}).meta({ id: 'TopUpPayment' });

export const topUpPaymentView = ({ method, ...offer }: PaymentOffer): z.input<typeof TopUpPayment> => {
  if (method === 'BALANCE') throw new Error(`A top-up is not paid by ${method}.`);
  return { ...paymentBlockView({ method, ...offer }), method };
};

const moment = z.iso.datetime();

export const topUpFields = {
  id: z.uuid().describe('Identifies the top-up; a UUID.'),
  number: z.string().meta({
    description: 'The name of the top-up for people, and the purpose of a bank transfer.',
    example: 'TOP-2026-00000012',
  }),
  status: TopUpStatusField,
  amount: z.number(),
  currency: z.string(),
  paymentMethod: TopUpMethodField,
  paymentStatus: TopUpPaymentStatusField,
  expiresAt: moment.nullable().meta({
    description: 'It is cancelled if it is not paid by then; null unless it waits for its payment.',
  }),
  createdAt: moment,
  paidAt: moment.nullable().describe('When the money came to the wallet; null before.'),
};

export const TopUpView = z
  .object({
    ...topUpFields,
    payment: TopUpPayment.nullable().meta({
      description: 'The way to pay it; null unless it can be paid now.',
    }),
  })
  .meta({ id: 'TopUp' });

/** A top-up without the way to pay it. */
export function topUpFacts(topUp: ShownTopUp) {
  const { id, number, status, amountMinor, currency, paymentMethod, paymentStatus } = topUp;
  return {
    ...{ id, number, status, amount: toMajor(amountMinor, currency), currency, paymentMethod, paymentStatus },
    expiresAt: status === 'PENDING_PAYMENT' ? topUp.paymentExpiresAt.toISOString() : null,
    createdAt: topUp.createdAt.toISOString(),
    paidAt: topUp.paidAt?.toISOString() ?? null,
  };
}

/** A top-up as it stands at `now`, for its owner. */
export const topUpView = (topUp: ShownTopUp, now: Date): z.output<typeof TopUpView> => ({
  ...topUpFacts(topUp),
  payment: openPayment(topUp, now),
});

function openPayment(
  { status, openAttempt, amountMinor, currency }: ShownTopUp,
  now: Date,
): z.output<typeof TopUpPayment> | null {
  if (status !== 'PENDING_PAYMENT' || openAttempt === null) return null;
  const expiresAt = new Date(openAttempt.expiresAt);
  if (expiresAt <= now) return null;
  return topUpPaymentView({ ...openAttempt, amountMinor, currency, expiresAt: expiresAt.toISOString() });
}
