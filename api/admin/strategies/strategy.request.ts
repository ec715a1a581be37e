import { z } from 'zod';
import type { StrategyRecord } from '../../../db/investment/strategy/administered-strategy.reads';
import { PLATFORM_CURRENCY, toMinor } from '../../../workflows/commerce/money.rules';
import { PayoutFrequencyField, ReturnTypeField } from '../../investment/strategies/strategy-detail.view';
import { RiskLevelField, StrategyStatusField } from '../../investment/strategies/strategy.view';
import { money, percentage, text } from '../../http/request/fields';
import { sentFields } from '../../http/request/sent-fields';
import { idOf } from '../../http/request/ids/id-of';
import { identifying } from '../../http/request/ids/identified';

/** Chosen: a hundred years. */
const MOST_DAYS = 36_500;

/** An annual rate in percent. Chosen: at most everything is lost. */
const rate = (example: number) => percentage({ min: -100, max: 10_000 }).meta({ example });
const days = (min: 0 | 1, example: number) => z.int().min(min).max(MOST_DAYS).meta({ example });
const amount = (example: number) => money({ min: 0.01 }).meta({ example });

const rates = {
  min: rate(6).describe('The lowest rate, in percent a year; below zero for a loss.'),
  max: rate(10).describe('The highest rate, in percent a year.'),
  expected: rate(8).describe('The rate that is expected, in percent a year.'),
};
const amounts = {
  minAmount: amount(100).describe('The least for one participation.'),
  maxAmount: amount(50_000).nullable().meta({ description: 'Null: no maximum.' }),
  totalCapacity: amount(1_000_000).nullable().meta({ description: 'Null: unlimited.' }),
};
const terms = {
  earlyWithdrawalAllowed: z.boolean().describe('True if money can be taken out before the end.'),
  earlyWithdrawalPenalty: percentage()
    .nullable()
    .meta({ description: 'Percent of the principal; null: no withdrawal in the lock period.', example: 10 }),
  compoundingAvailable: z
    .boolean()
    .describe('True if what is earned can be put in again with the principal.'),
  automaticReinvestment: z
    .boolean()
    .describe('True if a participation can be put into the strategy again when it matures.'),
};

const fields = {
  name: text({ min: 1, max: 200 }).meta({ example: 'Harbour bonds' }),
  description: text({ min: 1, max: 20_000 }).meta({ example: 'Lends to harbours of the North Sea.' }),
  shortDescription: text({ min: 1, max: 500 }).meta({
    description: 'The description in a sentence.',
    example: 'Loans to harbours.',
  }),
  categoryId: idOf('strategy category').meta({ description: 'A category of strategies.' }),
  riskDisclosure: text({ min: 1, max: 20_000 }).meta({
    description: 'What investors must know of the risk.',
    example: 'You may lose what you put in.',
  }),
  commissionPercentage: percentage().meta({
    description: 'Percent of an investment from which commissions of partners are paid.',
    example: 5,
  }),
  careerPointsPercentage: percentage({ max: 10_000 }).meta({
    description: 'Percent of an investment that counts as career points of partners.',
    example: 100,
  }),
  status: StrategyStatusField,
};

/** The body of a request for a new strategy. */
export const StrategyRequest = z
  .object({
    ...fields,
    returnRate: z
      .object({ ...rates, type: ReturnTypeField, payoutFrequency: PayoutFrequencyField })
      .describe('Annual rates in percent, over 365 days.'),
    duration: z
      .object({
        minDays: days(1, 30).describe('The shortest duration, in days.'),
        maxDays: days(1, 365).describe('The longest duration, in days.'),
        lockPeriodDays: days(0, 30).describe(
          'For so many days a withdrawal costs the penalty, or is refused without one.',
        ),
      })
      .describe('For how many days money can be put into it.'),
    investment: z
      .object({ ...amounts, currency: z.enum([PLATFORM_CURRENCY]) })
      .describe('How much can be put into it.'),
    riskLevel: RiskLevelField,
    terms: z.object(terms).describe('What its participations may do.'),
    providerCode: identifying(z.string().max(40), 'investment provider').optional().meta({
      description:
        'The provider that runs it, an active one; by default `internal`, which is the platform itself.',
      example: 'alpha',
    }),
    strategyCode: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'must be letters, digits, dots, hyphens and underscores')
      .optional()
      .meta({ description: 'Its name at the provider; by default the slug.', example: 'HARBOUR-1' }),
  })
  .meta({ id: 'CreateStrategyRequest' });

/** The body of a change of a strategy; fields left out stay. */
export const StrategyChange = z
  .object({
    ...fields,
    returnRate: z.object(rates).partial().describe('Annual rates in percent, over 365 days.'),
    investment: z.object(amounts).partial().describe('How much can be put into it.'),
    terms: z.object(terms).partial().describe('What its participations may do.'),
  })
  .partial()
  .meta({ id: 'UpdateStrategyRequest' });

const toBp = (percent: number): number => Math.round(percent * 100);
const minorOf = (major: number): number => toMinor(major, PLATFORM_CURRENCY);
const orNull = <Value>(value: Value | null, convert: (value: Value) => number): number | null =>
  value === null ? null : convert(value);

/** A change as columns, without what was left out. */
export function strategyChangesFrom(sent: z.output<typeof StrategyChange>): Partial<StrategyRecord> {
  const { returnRate: rates = {}, investment = {}, terms = {}, ...rest } = sent;
  const { commissionPercentage, careerPointsPercentage, ...plain } = rest;
  const { minAmount, maxAmount, totalCapacity } = investment;
  const { earlyWithdrawalPenalty, ...flags } = terms;
  return {
    ...sentFields(plain),
    ...sentFields(flags),
    ...(rates.min !== undefined && { returnMinBp: toBp(rates.min) }),
    ...(rates.max !== undefined && { returnMaxBp: toBp(rates.max) }),
    ...(rates.expected !== undefined && { returnExpectedBp: toBp(rates.expected) }),
    ...(minAmount !== undefined && { minMinor: minorOf(minAmount) }),
    ...(maxAmount !== undefined && { maxMinor: orNull(maxAmount, minorOf) }),
    ...(totalCapacity !== undefined && { totalCapacityMinor: orNull(totalCapacity, minorOf) }),
    ...(earlyWithdrawalPenalty !== undefined && {
      earlyWithdrawalPenaltyBp: orNull(earlyWithdrawalPenalty, toBp),
    }),
    ...(commissionPercentage !== undefined && { commissionBp: toBp(commissionPercentage) }),
    ...(careerPointsPercentage !== undefined && { careerPointsBp: toBp(careerPointsPercentage) }),
  };
}

/** The new strategy that a request describes, as columns. */
export function strategyFrom(sent: z.output<typeof StrategyRequest>): StrategyRecord {
  const { returnRate, duration, investment, terms } = sent;
  return {
    name: sent.name,
    description: sent.description,
    shortDescription: sent.shortDescription,
    categoryId: sent.categoryId,
    returnMinBp: toBp(returnRate.min),
    returnMaxBp: toBp(returnRate.max),
    returnExpectedBp: toBp(returnRate.expected),
    returnType: returnRate.type,
    payoutFrequency: returnRate.payoutFrequency,
    minDays: duration.minDays,
    maxDays: duration.maxDays,
    lockDays: duration.lockPeriodDays,
    minMinor: minorOf(investment.minAmount),
    maxMinor: orNull(investment.maxAmount, minorOf),
    totalCapacityMinor: orNull(investment.totalCapacity, minorOf),
    riskLevel: sent.riskLevel,
    riskDisclosure: sent.riskDisclosure,
    status: sent.status,
    earlyWithdrawalAllowed: terms.earlyWithdrawalAllowed,
    earlyWithdrawalPenaltyBp: orNull(terms.earlyWithdrawalPenalty, toBp),
    compoundingAvailable: terms.compoundingAvailable,
    automaticReinvestment: terms.automaticReinvestment,
    commissionBp: toBp(sent.commissionPercentage),
    careerPointsBp: toBp(sent.careerPointsPercentage),
  };
}
