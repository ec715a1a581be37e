import { z } from 'zod';
import {
  courseOf,
  portfolioTransactions,
  strategyCourses,
} from '../../../db/investment/portfolio/performance.reads';
import {
  dateOf,
  firstDay,
  GRANULARITIES,
  MOST_POINTS,
  PERIODS,
} from '../../../workflows/investment/portfolio/period.rules';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { MOST_TRANSACTIONS, performanceView, PerformanceHistory } from './performance.view';

export const showPerformance = endpoint({
  id: 'getPortfolioPerformance',
  returns: 'The course of the portfolio',
  method: 'get',
  path: '/investment/portfolio/performance',
  summary: 'Show how your portfolio developed',
  description: `Days are those of UTC. ALL begins with the first transaction. At most ${MOST_POINTS} points and ${MOST_TRANSACTIONS} transactions, the latest. Percentages have two decimals; what is not defined is 0.`,
  tag: 'Investment',
  auth: 'user',
  limit: perMinute(100),

  query: z.object({
    period: z.enum(PERIODS).default('MONTH').describe('The time to show, until now.'),
    granularity: z
      .enum(GRANULARITIES)
      .default('DAY')
      .meta({ description: 'A point for each day, each Sunday or each last day of a month, and for today.' }),
  }),
  success: 200,
  data: PerformanceHistory,
  errors: {},

  async handle({ query: { period, granularity } }, { db, caller }) {
    const now = new Date();
    const course = await courseOf(db, caller.id, now);
    const first = firstDay(period, dateOf(now), course[0]?.date ?? null);
    const [strategies, transactions] = await Promise.all([
      strategyCourses(db, caller.id, now, first),
      portfolioTransactions(db, caller.id, first, MOST_TRANSACTIONS),
    ]);
    return performanceView({ period, granularity, first, now }, { course, strategies, transactions });
  },
});
