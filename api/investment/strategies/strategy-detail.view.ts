import { z } from 'zod';
import type { StrategyDetailRow } from '../../../db/investment/strategy/shown-strategy.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import {
  averageReturn,
  PAYOUT_FREQUENCIES,
  RETURN_TYPES,
  STRATEGY_DOCUMENT_TYPES,
} from '../../../workflows/investment/strategy/strategy.rules';
import { majorOrNull, percent, ReturnRate, returnRateOf, Strategy } from './strategy.view';

export const ReturnTypeField = z.enum(RETURN_TYPES).meta({
  id: 'ReturnType',
  description: 'FIXED: the expected rate is promised. VARIABLE: it is an estimate.',
});
export const PayoutFrequencyField = z
  .enum(PAYOUT_FREQUENCIES)
  .meta({ id: 'PayoutFrequency', description: 'How often a strategy distributes its profits.' });
export const DocumentTypeField = z
  .enum(STRATEGY_DOCUMENT_TYPES)
  .meta({ id: 'StrategyDocumentType', description: 'The kind of document of a strategy.' });

/** A strategy as its own page shows it. */
export const StrategyDetail = z
  .object({
    ...Strategy.shape,
    description: z.string(),
    category: Strategy.shape.category
      .extend({ description: z.string().nullable() })
      .describe('The category that the strategy is in.'),
    returnRate: ReturnRate.extend({ type: ReturnTypeField, payoutFrequency: PayoutFrequencyField }).describe(
      'Annual rates in percent, over 365 days.',
    ),
    duration: Strategy.shape.duration
      .extend({
        lockPeriodDays: z.int().meta({
          description: 'For so many days a withdrawal costs the penalty, or is refused without one.',
        }),
      })
      .describe('For how many days money can be put into it.'),
    investment: Strategy.shape.investment
      .extend({
        availableCapacity: z
          .number()
          .nullable()
          .meta({ description: 'The part of `totalCapacity` that is still free; null without a limit.' }),
        totalCapacity: z.number().nullable().meta({ description: 'Null: without a limit.' }),
      })
      .describe('How much can be put into it.'),
    riskDisclosure: z.string().describe('What investors must know of the risk.'),
    terms: z
      .object({
        earlyWithdrawalAllowed: z.boolean().describe('True if money can be taken out before the end.'),
        earlyWithdrawalPenalty: z.number().nullable().meta({ description: 'Percent of the principal.' }),
        compoundingAvailable: z
          .boolean()
          .describe('True if what is earned can be put in again with the principal.'),
        automaticReinvestment: z
          .boolean()
          .describe('True if a participation can be put into the strategy again when it matures.'),
      })
      .describe('What its participations may do.'),
    performance: z
      .object({
        historicalReturns: z
          .array(
            z.object({
              period: z.string().meta({
                description: 'A month (UTC) in which money was invested, such as 2026-03.',
                example: '2026-03',
              }),
              return: z
                .number()
                .describe(
                  'Distributed profits over the average principal, in percent; below zero for a loss.',
                ),
            }),
          )
          .describe(
            'Its returns by month: at most 24 that have ended, the oldest first. Computed once a day.',
          ),
        averageReturn: z.number().meta({ description: 'The mean of `historicalReturns`; 0 without one.' }),
      })
      .describe('What it brought in the past, which promises nothing.'),
    popularity: Strategy.shape.popularity
      .extend({ activeParticipations: z.int().describe('Participations that run.') })
      .describe('How many people took part, and with how much.'),
    documents: z
      .array(
        z.object({
          type: DocumentTypeField,
          name: z.string(),
          url: z.string().describe('The URL of the document.'),
        }),
      )
      .describe('Documents in their order.'),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'StrategyDetail' });

/** The view of a strategy on its own page. */
export function strategyDetailView(row: StrategyDetailRow): z.input<typeof StrategyDetail> {
  const { currency, totalCapacityMinor } = row;
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    shortDescription: row.shortDescription,
    category: row.category,
    returnRate: { ...returnRateOf(row), type: row.returnType, payoutFrequency: row.payoutFrequency },
    duration: { minDays: row.minDays, maxDays: row.maxDays, lockPeriodDays: row.lockDays },
    investment: {
      minAmount: toMajor(row.minMinor, currency),
      maxAmount: majorOrNull(row.maxMinor, currency),
      currency,
      availableCapacity:
        totalCapacityMinor === null
          ? null
          : toMajor(Math.max(0, totalCapacityMinor - row.reservedMinor), currency),
      totalCapacity: majorOrNull(totalCapacityMinor, currency),
    },
    riskLevel: row.riskLevel,
    riskDisclosure: row.riskDisclosure,
    status: row.status,
    terms: termsOf(row),
    performance: {
      historicalReturns: row.historicalReturns,
      averageReturn: averageReturn(row.historicalReturns),
    },
    popularity: {
      totalParticipants: row.totalParticipants,
      totalInvested: toMajor(row.totalInvestedMinor, currency),
      activeParticipations: row.activeParticipations,
    },
    commissionPercentage: percent(row.commissionBp),
    careerPointsPercentage: percent(row.careerPointsBp),
    documents: row.documents.map(({ type, name, url }) => ({ type, name, url })),
    imageUrl: row.imageUrl,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

const termsOf = (row: StrategyDetailRow): z.input<typeof StrategyDetail>['terms'] => ({
  earlyWithdrawalAllowed: row.earlyWithdrawalAllowed,
  earlyWithdrawalPenalty:
    row.earlyWithdrawalPenaltyBp === null ? null : percent(row.earlyWithdrawalPenaltyBp),
  compoundingAvailable: row.compoundingAvailable,
  automaticReinvestment: row.automaticReinvestment,
});
