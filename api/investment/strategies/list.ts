import { z } from 'zod';
import { catalogueTags } from '../../../db/catalog/catalogue-change/catalogue-channel';
import {
  listStrategies,
  type StrategyOrder,
} from '../../../db/investment/strategy/shown-strategy-list.reads';
import { PLATFORM_CURRENCY, toMinor } from '../../../workflows/commerce/money.rules';
import { paging, SortOrderField, windowOf } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { moneyText, percentText, uuid } from '../../http/request/fields';
import { Strategy, StrategyStatusField, strategyView } from './strategy.view';
import { identifying } from '../../http/request/ids/identified';

const SORTS = ['returnRate', 'duration', 'popularity', 'createdAt'] as const;

/** Chosen: the direction of a sort without one: short durations come first, the highest of all others. */
const DEFAULT_DIRECTION: Record<StrategyOrder['by'], StrategyOrder['direction']> = {
  returnRate: 'desc',
  duration: 'asc',
  popularity: 'desc',
  createdAt: 'desc',
};

export const listStrategiesEndpoint = endpoint({
  id: 'listStrategies',
  returns: 'One page of strategies',
  method: 'get',
  path: '/investment/strategies',
  summary: 'Browse strategies',
  description:
    'Of every status, newest first by default. The same answer for everyone: there are no personal rates, so a token changes nothing.',
  tag: 'Investment',
  auth: 'optional',
  limit: perMinute(200),

  query: z.object({
    ...paging(50),
    categoryId: identifying(uuid(), 'strategy category')
      .optional()
      .describe('Only strategies of this category.'),
    status: StrategyStatusField.optional(),
    minAmount: moneyText()
      .optional()
      .meta({ description: 'Finds strategies that take some amount from here on.' }),
    maxAmount: moneyText()
      .optional()
      .meta({ description: 'Finds strategies that take some amount up to here.' }),
    minReturn: percentText()
      .optional()
      .meta({ description: 'The lowest expected annual rate, in percent.', example: '5' }),
    sortBy: z
      .enum(SORTS)
      .meta({
        id: 'StrategySorting',
        description:
          'returnRate: the expected one. duration: the shortest. popularity: all that was ever invested.',
      })
      .default('createdAt')
      .meta({
        description:
          'returnRate: by the expected one. duration: by the shortest, then the longest. popularity: by what was ever invested.',
      }),
    sortOrder: SortOrderField.optional().meta({
      description: 'Without it, durations ascend and all others descend.',
    }),
  }),
  success: 200,
  data: z.object({ strategies: z.array(Strategy).describe('One page of strategies.') }),
  errors: {},
  paginated: true,
  cached: true,

  async handle({ query }, { db, reply }) {
    const { page, pageSize, categoryId, status, minAmount, maxAmount, minReturn, sortBy } = query;
    const minor = (amount?: number) =>
      amount === undefined ? undefined : toMinor(amount, PLATFORM_CURRENCY);
    const { total, strategies } = await listStrategies(
      db,
      {
        ...{ categoryId, status, minMinor: minor(minAmount), maxMinor: minor(maxAmount) },
        minReturnBp: minReturn === undefined ? undefined : Math.round(minReturn * 100),
      },
      { by: sortBy, direction: query.sortOrder ?? DEFAULT_DIRECTION[sortBy] },
      windowOf({ page, pageSize }),
    );
    reply.page({ total, page, pageSize });
    reply.dependsOn(
      catalogueTags.strategies,
      ...strategies.map(({ id }) => catalogueTags.investedIn(id)),
      ...(sortBy === 'popularity' ? [catalogueTags.investments] : []),
    );
    return { strategies: strategies.map(strategyView) };
  },
});
