import { z } from 'zod';
import type { ParticipationDetailRow } from '../../../db/investment/participation/participation.reads';
import type { TransactionRow } from '../../../db/investment/transaction/investment-transaction.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { withdrawalTerms } from '../../../workflows/investment/withdrawal/withdrawal-terms.rules';
import {
  Participation,
  ParticipationOptions,
  participationParts,
  ParticipationReturns,
  ParticipationStatusField,
  ParticipationStrategy,
} from './participation.view';
import { ParticipationMethodField } from './participation-payment.view';
import { PaymentStatusField } from '../../orders/order.view';

/** The names of the contract for what is recorded. */
const TRANSACTION_TYPES = {
  DEPOSIT: 'INVESTMENT',
  PROFIT: 'RETURN',
  WITHDRAWAL: 'WITHDRAWAL',
  PENALTY: 'PENALTY',
} as const;

/** The most transactions of a participation that its detail has. */
export const MOST_TRANSACTIONS = 500;

const percent = (description: string) => z.number().meta({ description, example: 8 });

const ParticipationTransaction = z
  .object({
    id: z.uuid(),
    type: z.enum(['INVESTMENT', 'RETURN', 'WITHDRAWAL', 'PENALTY']).describe('The kind of transaction.'),
    amount: z.number().meta({ description: 'Below zero for a loss.' }),
    status: z.enum(['COMPLETED', 'CONFIRMED', 'PROCESSING']).meta({
      description:
        'PROCESSING: a payout that has not arrived yet. CONFIRMED: one made here that its provider has confirmed.',
    }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'ParticipationTransaction' });

export const ParticipationDetail = z
  .object({
    id: z.uuid(),
    strategy: ParticipationStrategy.extend({
      returnRate: z
        .object({
          min: z.number().describe('The lowest rate, in percent a year; below zero for a loss.'),
          max: z.number().describe('The highest rate, in percent a year.'),
          expected: z.number().describe('The rate that is expected, in percent a year.'),
        })
        .meta({ description: 'Annual rates in percent, as they were when it was made.' }),
    }).describe('The strategy that it is of.'),
    investment: z
      .object({
        amount: z.number().describe('The principal that was put in.'),
        currency: z.string(),
        currentValue: z.number().meta({
          description:
            'While it runs: the value that its provider reported last, else principal and earned returns; otherwise 0.',
        }),
      })
      .describe('The principal, and what it is worth now.'),
    status: ParticipationStatusField,
    returns: ParticipationReturns.extend({ rate: percent('The expected annual rate in percent.') }).describe(
      'What it has earned, and what is expected.',
    ),
    dates: Participation.shape.dates
      .extend({
        createdAt: z.iso.datetime(),
        paymentReceivedAt: z.iso.datetime().nullable().describe('When it was paid; null before.'),
      })
      .describe('When it began and when it ends.'),
    options: ParticipationOptions.describe('What happens at its maturity.'),
    transactions: z
      .array(ParticipationTransaction)
      .meta({ description: `Newest first, at most ${MOST_TRANSACTIONS}.` }),
    withdrawal: z
      .object({
        canWithdraw: z.boolean().meta({ description: 'By its terms; KYC level STANDARD is needed as well.' }),
        penaltyPercentage: percent('The part of the principal that a withdrawal now would cost.')
          .nullable()
          .describe(
            'The part of the principal that a withdrawal now would cost, in percent; null without one.',
          ),
        estimatedAmount: z.number().meta({ description: 'What a withdrawal now would pay.' }),
        lockPeriodEndsAt: z.iso
          .datetime()
          .nullable()
          .describe('Until then a withdrawal costs the penalty or is refused; null before it runs.'),
      })
      .describe('What a withdrawal now would cost and pay.'),
    payment: z
      .object({
        method: ParticipationMethodField,
        transactionId: z
          .string()
          .nullable()
          .describe("The provider's or the bank's id of the payment; null until it is paid."),
        status: PaymentStatusField,
      })
      .nullable()
      .meta({ description: 'Null where it was not paid here: made at its provider, or of a matured one.' }),
  })
  .meta({ id: 'ParticipationDetail' });
type Detail = z.input<typeof ParticipationDetail>;

/** The view of a participation with its transactions, newest first. */
export function participationDetailView(
  row: ParticipationDetailRow,
  transactions: readonly TransactionRow[],
  now: Date,
): Detail {
  const parts = participationParts(row, now);
  return {
    id: row.id,
    strategy: {
      ...parts.strategy,
      returnRate: {
        min: row.returnMinBp / 100,
        max: row.returnMaxBp / 100,
        expected: row.returnExpectedBp / 100,
      },
    },
    investment: {
      amount: toMajor(row.amountMinor, row.currency),
      currency: row.currency,
      currentValue: toMajor(row.valueMinor, row.currency),
    },
    status: row.status,
    returns: { ...parts.returns, rate: row.returnExpectedBp / 100 },
    dates: {
      createdAt: row.createdAt.toISOString(),
      paymentReceivedAt: row.paidAt?.toISOString() ?? null,
      ...parts.dates,
    },
    options: parts.options,
    transactions: transactions.map(transactionView),
    withdrawal: withdrawalView(row, now),
    payment: paymentView(row),
  };
}

const transactionView = (row: TransactionRow): Detail['transactions'][number] => ({
  id: row.id,
  type: TRANSACTION_TYPES[row.type],
  amount: toMajor(row.amountMinor, row.currency),
  status: row.isOnItsWay ? 'PROCESSING' : row.isConfirmed ? 'CONFIRMED' : 'COMPLETED',
  createdAt: row.occurredAt.toISOString(),
});

function withdrawalView(row: ParticipationDetailRow, now: Date): Detail['withdrawal'] {
  const { allowed, penaltyBp, netMinor, lockPeriodEndsAt } = withdrawalTerms(row, now);
  return {
    canWithdraw: allowed,
    penaltyPercentage: penaltyBp === null ? null : penaltyBp / 100,
    estimatedAmount: toMajor(netMinor, row.currency),
    lockPeriodEndsAt: lockPeriodEndsAt?.toISOString() ?? null,
  };
}

const paymentView = (row: ParticipationDetailRow): Detail['payment'] =>
  row.paymentMethod && {
    method: row.paymentMethod,
    transactionId: row.transactionId,
    status: row.paymentStatus,
  };
