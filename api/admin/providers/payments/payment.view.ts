import { z } from 'zod';
import type {
  CountedDebt,
  ProviderPaymentRow,
} from '../../../../db/investment/provider-payment/provider-payment.reads';
import { figureInMajor, PLATFORM_CURRENCY, toMajor } from '../../../../workflows/commerce/money.rules';
import { PAYMENT_DIRECTIONS } from '../../../../workflows/investment/provider-payment.rules';
import { bankReference, money, text } from '../../../http/request/fields';

const DirectionField = z.enum(PAYMENT_DIRECTIONS).meta({
  id: 'ProviderPaymentDirection',
  description:
    'RECEIVED: the provider has paid us. SENT: we have paid back what was entered as RECEIVED, or an entry is corrected.',
});

/** A payment of a provider as an administrator enters it. */
export const ProviderPaymentRequest = z
  .object({
    direction: DirectionField.default('RECEIVED').describe('Who has paid.'),
    amount: money({ min: 0.01 }).meta({
      description: 'What the bank says that was transferred.',
      example: 400,
    }),
    // Strategies are in it alone.
    currency: z.literal(PLATFORM_CURRENCY).default(PLATFORM_CURRENCY),
    bankReference: bankReference({ max: 200 }).meta({
      description: 'What the bank calls the transfer; of one payment only.',
      example: 'BANK-2026-1204',
    }),
    ahead: z.boolean().default(false).meta({
      description:
        'True: what is received may be more than the provider has to pay. It changes nothing where it is not, and of what is SENT.',
      example: false,
    }),
    note: text({ min: 1, max: 500 }).nullish().meta({
      description: 'For the list and the audit trail.',
      example: 'Withdrawals of October.',
    }),
  })
  .meta({ id: 'ProviderPaymentRequest' });

export const ProviderPayment = z
  .object({
    id: z.uuid(),
    providerCode: z.string().describe('The provider that paid, or was paid.'),
    direction: DirectionField,
    amount: z.number().describe('What was transferred.'),
    recovered: z.number().meta({ description: 'The part of it that paid what had been written off.' }),
    credited: z.number().meta({
      description: 'The part of it that was more than the provider had to pay: its credit.',
    }),
    currency: z.string(),
    bankReference: z.string().describe('What the bank calls the transfer, as it was entered first.'),
    note: z.string().nullable().describe('What the administrator has noted; null: nothing.'),
    enteredBy: z.uuid().describe('The administrator who entered it.'),
    createdAt: z.iso.datetime().describe('When it was entered and booked.'),
  })
  .meta({ id: 'ProviderPayment' });

export const providerPaymentView = ({
  amountMinor,
  recoveredMinor,
  creditedMinor,
  createdAt,
  ...shown
}: ProviderPaymentRow): z.output<typeof ProviderPayment> => ({
  ...shown,
  amount: toMajor(amountMinor, shown.currency),
  recovered: toMajor(recoveredMinor, shown.currency),
  credited: toMajor(creditedMinor, shown.currency),
  createdAt: createdAt.toISOString(),
});

/** The debts of one provider. */
export const OwedField = z
  .array(
    z.object({
      currency: z.string(),
      amount: z.number(),
      countedAt: z.iso.datetime().describe('When the debt was added up.'),
    }),
  )
  .meta({
    description:
      'What the provider owes us, counted daily, at each payment and at each write-off; below zero, we owe it: what it has paid ahead is its credit.',
  });

/** Counted debts, or the largest that can be shown. */
export const owedView = (debts: readonly Omit<CountedDebt, 'providerCode'>[]): z.output<typeof OwedField> =>
  debts.map(({ currency, owedMinor, countedAt }) => ({
    ...{ currency, amount: figureInMajor(owedMinor, currency), countedAt: countedAt.toISOString() },
  }));
