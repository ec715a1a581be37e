import { z } from 'zod';
import type {
  AdministeredStrategy,
  StrategyFinancials,
} from '../../../db/investment/strategy/administered-strategy-list.reads';
import type { StrategyDetailRow } from '../../../db/investment/strategy/shown-strategy.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { strategyReference } from '../../http/request/ids/references';
import { StrategyDetail, strategyDetailView } from '../../investment/strategies/strategy-detail.view';
import {
  majorOrNull,
  ReturnRate,
  returnRateOf,
  RiskLevelField,
  StrategyStatusField,
} from '../../investment/strategies/strategy.view';
import { demo } from '../../http/request/ids/demo-ids';

/** The path parameters of one strategy. */
export const oneStrategy = z.object({ id: strategyReference(demo.editableStrategy) });

const figures = {
  capacity: z
    .object({
      total: z.number().nullable().meta({ description: 'Null: unlimited.' }),
      used: z.number().meta({ description: 'Principal of participations that run or wait for payment.' }),
      available: z.number().nullable().meta({ description: 'Null: unlimited.' }),
    })
    .meta({ description: 'How much the strategy takes.' }),
  participants: z
    .object({
      total: z.int().meta({ description: 'People who ever took part.' }),
      active: z.int().meta({ description: 'Participations that run.' }),
    })
    .meta({ description: 'How many take part.' }),
  financials: z
    .object({
      totalInvested: z.number().meta({ description: 'Principal of all participations that ever began.' }),
      totalReturnsDistributed: z
        .number()
        .meta({ description: 'Profits that were distributed, less losses.' }),
      pendingReturns: z.number().meta({
        description:
          'Interest of running participations until now, at the expected rate, that was not distributed yet.',
      }),
    })
    .meta({ description: 'What it took and brought.' }),
};

/** A strategy as administrators see it in a list. */
export const AdminStrategy = z
  .object({
    id: z.uuid(),
    name: z.string(),
    status: StrategyStatusField,
    riskLevel: RiskLevelField,
    returnRate: ReturnRate.describe('Annual rates in percent, over 365 days.'),
    ...figures,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'AdminStrategy' });

/** A strategy with everything that administrators know and change. */
export const AdminStrategyDetail = z
  .object({
    ...StrategyDetail.shape,
    ...figures,
    providerCode: z.string().meta({ description: 'The provider that runs it.', example: 'alpha' }),
    strategyCode: z.string().meta({ description: 'Its name at the provider.', example: 'HARBOUR-1' }),
    documents: z
      .array(StrategyDetail.shape.documents.element.extend({ id: z.uuid() }))
      .describe('Documents in their order.'),
  })
  .meta({ id: 'AdminStrategyDetail' });

type FigureColumns = StrategyFinancials &
  Pick<
    AdministeredStrategy,
    | ('currency' | 'totalCapacityMinor' | 'reservedMinor' | 'totalInvestedMinor')
    | ('totalParticipants' | 'activeParticipations')
  >;

/** The view of a strategy in a list. */
export const adminStrategyView = (row: AdministeredStrategy): z.input<typeof AdminStrategy> => ({
  id: row.id,
  name: row.name,
  status: row.status,
  riskLevel: row.riskLevel,
  returnRate: returnRateOf(row),
  ...figuresOf(row),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** The view of a strategy with everything that administrators know of it. */
export const adminStrategyDetailView = (
  row: StrategyDetailRow,
  financials: StrategyFinancials,
): z.input<typeof AdminStrategyDetail> => ({
  ...strategyDetailView(row),
  ...figuresOf({ ...row, ...financials }),
  providerCode: row.providerCode,
  strategyCode: row.strategyCode,
  documents: row.documents,
});

function figuresOf(
  row: FigureColumns,
): Pick<z.input<typeof AdminStrategy>, 'capacity' | 'financials' | 'participants'> {
  const { currency, totalCapacityMinor: total } = row;
  const major = (minor: number) => toMajor(minor, currency);
  return {
    capacity: {
      total: majorOrNull(total, currency),
      used: major(row.reservedMinor),
      available: total === null ? null : major(Math.max(0, total - row.reservedMinor)),
    },
    participants: { total: row.totalParticipants, active: row.activeParticipations },
    financials: {
      totalInvested: major(row.totalInvestedMinor),
      totalReturnsDistributed: major(row.distributedMinor),
      pendingReturns: major(row.pendingMinor),
    },
  };
}
