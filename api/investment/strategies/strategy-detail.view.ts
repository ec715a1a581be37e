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

export const ReturnTypeField = z
  .enum(RETURN_TYPES)
  .meta({ description: 'FIXED: the expected rate is promised. VARIABLE: it is an estimate.' });
export const PayoutFrequencyField = z.enum(PAYOUT_FREQUENCIES);
export const DocumentTypeField = z.enum(STRATEGY_DOCUMENT_TYPES);

/** A strategy as its own page shows it. */
export const StrategyDetail = z
  .object({
    ...Strategy.shape,
    description: z.string(),
    category: Strategy.shape.category.extend({ description: z.string().nullable() }),
    returnRate: ReturnRate.extend({ type: ReturnTypeField, payoutFrequency: PayoutFrequencyField }),
    duration: Strategy.shape.duration.extend({
      lockPeriodDays: z
        .int()
        .meta({ description: 'For so many days a withdrawal costs the penalty, or is refused without one.' }),
    }),
    investment: Strategy.shape.investment.extend({
      availableCapacity: z
        .number()
        .nullable()
        .meta({ description: 'The part of `totalCapacity` that is still free; null without a limit.' }),
      totalCapacity: z.number().nullable().meta({ description: 'Null: without a limit.' }),
    }),
    riskDisclosure: z.string(),
    terms: z.object({
      earlyWithdrawalAllowed: z.boolean(),
      earlyWithdrawalPenalty: z.number().nullable().meta({ description: 'Percent of the principal.' }),
      compoundingAvailable: z.boolean(),
      automaticReinvestment: z.boolean(),
    }),
    performance: z.object({
      historicalReturns: z.array(
        z.object({ period: z.string().meta({ example: '2026-03' }), return: z.number() }),
      ),
      averageReturn: z.number().meta({ description: 'The mean of `historicalReturns`; 0 without one.' }),
    }),
    popularity: Strategy.shape.popularity.extend({ activeParticipations: z.int() }),
    documents: z.array(z.object({ type: DocumentTypeField, name: z.string(), url: z.string() })),
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
