import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { answerCategories, InvestmentCategories } from './category.view';

export const listInvestmentCategories = endpoint({
  id: 'listInvestmentCategories',
  returns: 'The categories of strategies',
  method: 'get',
  path: '/investment/categories',
  summary: 'List categories of strategies',
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
