import { z } from 'zod';
import type { ParticipationRow } from '../../../db/investment/participation/participation.reads';
import type { FlowDay, StrategyHolding } from '../../../db/investment/portfolio/portfolio.reads';
import { figureInMajor, PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import { returnsOf } from '../../../workflows/investment/participation/participation-returns.rules';
import { percentage } from '../../../workflows/investment/portfolio/percentage.rules';
import {
  extremesOf,
  resultSinceStart,
  returnOf,
  spread,
  totalsOf,
} from '../../../workflows/investment/portfolio/portfolio.rules';
import { RISK_LEVELS } from '../../../workflows/investment/strategy/strategy.rules';
import { RiskLevelField } from '../strategies/strategy.view';

export const MOST_MATURITIES = 10;

const share = {
  amount: z.number().describe('The principal that runs there.'),
  percentage: z.number().meta({ description: 'Percent of the principal that runs.', example: 33.34 }),
};
const StrategyResult = z
  .object({
    strategyId: z.uuid().describe('The strategy that it is of.'),
    strategyName: z.string().describe('The name of the strategy.'),
    return: z
      .number()
      .meta({ description: 'Percent of what was invested; below zero for a loss.', example: 4.2 }),
  })
  .meta({ id: 'StrategyResult', description: 'A strategy and its return in percent of what was invested.' });

export const Portfolio = z
  .object({
    summary: z
      .object({
        totalInvested: z.number().meta({
          description:
            'Principal of all that ever ran; what moved from one participation into another counts once.',
        }),
        currentValue: z.number().meta({ description: 'Of the participations that run.' }),
        totalReturns: z.number().meta({
          description:
            'What was earned or lost, with `unrealizedGains`: value, and all that was paid out, less principal.',
        }),
        pendingReturns: z.number().meta({ description: 'Interest accrued and not distributed yet.' }),
        unrealizedGains: z.number().meta({
          description: 'Changes of value that providers reported beyond distributed returns.',
        }),
        currency: z.string(),
      })
      .describe('The figures of all participations.'),
    allocation: z
      .object({
        byRiskLevel: z
          .array(z.object({ level: RiskLevelField.describe('The risk of the strategies.'), ...share }))
          .describe('By risk of strategies.'),
        byCategory: z
          .array(
            z.object({
              categoryId: z.uuid().describe('The category of strategies.'),
              categoryName: z.string().describe('The name of the category.'),
              ...share,
            }),
          )
          .describe('By category of strategies.'),
        byStrategy: z
          .array(
            z.object({
              strategyId: z.uuid().describe('The strategy that it is of.'),
              strategyName: z.string().describe('The name of the strategy.'),
              ...share,
              currentValue: z.number().describe('What the participations that run are worth.'),
            }),
          )
          .describe('By strategy.'),
      })
      .meta({
        description: 'The principal that runs, largest first. Percentages of a list add up to exactly 100.',
      }),
    performance: z
      .object({
        overallReturn: z.number().meta({ description: '`totalReturns` in percent of `totalInvested`.' }),
        annualizedReturn: z.number().meta({
          description:
            'The money-weighted rate a year (XIRR) in percent, from 365 days on; before that `overallReturn`.',
        }),
        bestPerforming: StrategyResult.nullable().describe(
          'The strategy with the highest return; null without any.',
        ),
        worstPerforming: StrategyResult.nullable().describe(
          'The strategy with the lowest return; null without any.',
        ),
      })
      .describe('What all of it brought.'),
    activeParticipations: z.int().describe('Participations that run.'),
    upcomingMaturities: z
      .array(
        z.object({
          participationId: z.uuid().describe('The participation that it is about.'),
          strategyName: z.string().describe('The name of the strategy.'),
          amount: z.number().meta({ description: 'The principal that is left in it.' }),
          maturityDate: z.iso.datetime().describe('When it matures.'),
          expectedReturn: z.number().meta({ description: 'Interest from start to maturity.' }),
        }),
      )
      .meta({ description: `The next ${MOST_MATURITIES}, the earliest first.` }),
  })
  .meta({ id: 'Portfolio' });
type View = z.input<typeof Portfolio>;

const major = (minor: number): number => figureInMajor(minor, PLATFORM_CURRENCY);

/** The view of a portfolio at a time. */
export function portfolioView(
  holdings: readonly StrategyHolding[],
  maturing: readonly ParticipationRow[],
  flows: readonly FlowDay[],
  now: Date,
): View {
  const totals = totalsOf(holdings);
  const { best, worst } = extremesOf(holdings);
  const result = resultSinceStart(flows, totals.valueMinor, now);
  return {
    summary: {
      totalInvested: major(totals.investedMinor),
      currentValue: major(totals.valueMinor),
      totalReturns: major(totals.returnsMinor),
      pendingReturns: major(totals.pendingMinor),
      unrealizedGains: major(totals.unrealizedMinor),
      currency: PLATFORM_CURRENCY,
    },
    allocation: allocationView(holdings),
    performance: {
      overallReturn: percentage(returnOf(totals)),
      annualizedReturn: percentage(result.annualized),
      bestPerforming: best && strategyResult(best),
      worstPerforming: worst && strategyResult(worst),
    },
    activeParticipations: totals.active,
    upcomingMaturities: maturing.map((row) => maturityView(row, now)),
  };
}

function allocationView(holdings: readonly StrategyHolding[]): View['allocation'] {
  const values = new Map(holdings.map(({ strategyId, valueMinor }) => [strategyId, valueMinor]));
  const levels = spread(holdings, ({ riskLevel }) => ({ key: riskLevel, name: riskLevel }));
  const categories = spread(holdings, ({ categoryId: key, categoryName: name }) => ({ key, name }));
  const strategies = spread(holdings, ({ strategyId: key, strategyName: name }) => ({ key, name }));
  const shareOf = (group: { amountMinor: number; percentage: number }) => ({
    amount: major(group.amountMinor),
    percentage: group.percentage,
  });
  return {
    byRiskLevel: levels.map((group) => ({ level: levelOf(group.key), ...shareOf(group) })),
    byCategory: categories.map((group) => ({
      ...{ categoryId: group.key, categoryName: group.name },
      ...shareOf(group),
    })),
    byStrategy: strategies.map((group) => ({
      ...{ strategyId: group.key, strategyName: group.name },
      ...shareOf(group),
      currentValue: major(values.get(group.key) ?? 0),
    })),
  };
}

const levelOf = (key: string) => z.enum(RISK_LEVELS).parse(key);

const strategyResult = (holding: StrategyHolding): z.input<typeof StrategyResult> => ({
  strategyId: holding.strategyId,
  strategyName: holding.strategyName,
  return: percentage(returnOf(holding)),
});

const maturityView = (row: ParticipationRow, now: Date): View['upcomingMaturities'][number] => ({
  participationId: row.id,
  strategyName: row.strategyName,
  amount: major(row.amountMinor - row.withdrawnMinor),
  maturityDate: (row.maturesAt ?? now).toISOString(),
  expectedReturn: major(returnsOf(row, now).projectedMinor),
});
