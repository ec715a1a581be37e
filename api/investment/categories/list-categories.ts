import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { answerCategories, InvestmentCategories } from './category.view';

/** Chosen: a second address of one list, as the specification and its development log name both. */
export const listStrategyCategories = endpoint({
  id: 'listStrategyCategories',
  returns: 'The categories of strategies',
  method: 'get',
  path: '/investment/strategies/categories',
  summary: 'List categories of strategies, at a second address',
  description: 'The active ones, by name.',
  tag: 'Investment',
  auth: 'public',
  limit: perMinute(200),

  success: 200,
  data: InvestmentCategories,
  errors: {},
  cached: true,

  handle: (_request, context) => answerCategories(context),
});
