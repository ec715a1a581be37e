import { z } from 'zod';
import type { StrategyRow } from '../../../db/investment/strategy/shown-strategy-list.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { RISK_LEVELS, STRATEGY_STATUSES } from '../../../workflows/investment/strategy/strategy.rules';

export const RiskLevelField = z
  .enum(RISK_LEVELS)
  .meta({ id: 'RiskLevel', description: 'The risk of a strategy, in ascending order.' });
export const StrategyStatusField = z.enum(STRATEGY_STATUSES).meta({
  id: 'StrategyStatus',
  description: 'Only ACTIVE strategies take new participations; all are shown.',
});

/** Annual rates in percent. */
export const ReturnRate = z.object({
  min: z
    .number()
    .meta({ description: 'The lowest rate, in percent a year; below zero for a loss.', example: 6 }),
  max: z.number().meta({ description: 'The highest rate, in percent a year.', example: 10 }),
  expected: z.number().meta({ description: 'The rate that is expected, in percent a year.', example: 8 }),
});

/** A strategy as lists show it. */
export const Strategy = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    shortDescription: z.string().describe('The description in a sentence.'),
    category: z.object({ id: z.uuid(), name: z.string() }).describe('The category that the strategy is in.'),
    returnRate: ReturnRate.describe('Annual rates in percent, over 365 days.'),
    duration: z
      .object({
        minDays: z.int().describe('The shortest duration, in days.'),
        maxDays: z.int().describe('The longest duration, in days.'),
      })
      .describe('For how many days money can be put into it.'),
    investment: z
      .object({
        minAmount: z.number().describe('The least for one participation.'),
        maxAmount: z.number().nullable().describe('The most for one participation; null without a maximum.'),
        currency: z.string(),
      })
      .describe('How much can be put into it.'),
    riskLevel: RiskLevelField,
    status: StrategyStatusField,
    popularity: z
      .object({
        totalParticipants: z.int().describe('People who ever took part.'),
        totalInvested: z.number().describe('The principal of all participations that ever began.'),
      })
      .describe('How many people took part, and with how much.'),
    commissionPercentage: z
      .number()
      .describe('Percent of an investment from which commissions of partners are paid.'),
    careerPointsPercentage: z
      .number()
      .describe('Percent of an investment that counts as career points of partners.'),
    imageUrl: z.string().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Strategy' });

/** A percentage as JSON has it, of basis points. */
export const percent = (bp: number): number => bp / 100;

/** An amount in major units, or null where there is none. */
export const majorOrNull = (minor: number | null, currency: string): number | null =>
  minor === null ? null : toMajor(minor, currency);

/** The view of a strategy in lists. */
export function strategyView(row: StrategyRow): z.input<typeof Strategy> {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    shortDescription: row.shortDescription,
    category: { id: row.categoryId, name: row.categoryName },
    returnRate: returnRateOf(row),
    duration: { minDays: row.minDays, maxDays: row.maxDays },
    investment: {
      minAmount: toMajor(row.minMinor, row.currency),
      maxAmount: majorOrNull(row.maxMinor, row.currency),
      currency: row.currency,
    },
    riskLevel: row.riskLevel,
    status: row.status,
    popularity: {
      totalParticipants: row.totalParticipants,
      totalInvested: toMajor(row.totalInvestedMinor, row.currency),
    },
    commissionPercentage: percent(row.commissionBp),
    careerPointsPercentage: percent(row.careerPointsBp),
    imageUrl: row.imageUrl,
    createdAt: row.createdAt.toISOString(),
  };
}

/** The annual rates of a strategy, in percent. */
export const returnRateOf = ({
  returnMinBp,
  returnMaxBp,
  returnExpectedBp,
}: Pick<StrategyRow, 'returnMinBp' | 'returnMaxBp' | 'returnExpectedBp'>): z.input<typeof ReturnRate> => ({
  min: percent(returnMinBp),
  max: percent(returnMaxBp),
  expected: percent(returnExpectedBp),
});
