import { z } from 'zod';
import { allInvestmentCategories } from '../../../../db/investment/category/investment-category-record.reads';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { AdminInvestmentCategory, investmentCategoryView } from './category.view';

export const listAllInvestmentCategories = endpoint({
  id: 'listAllInvestmentCategories',
  returns: 'Every category of strategies, by name',
  method: 'get',
  path: '/admin/investment-categories',
  summary: 'List the categories of strategies, inactive ones too',
  description: 'Also those that have no strategy.',
  tag: 'Administration: strategies',
  auth: 'admin',
  limit: perMinute(200),

  success: 200,
  data: z.object({
    categories: z.array(AdminInvestmentCategory).describe('Categories of strategies, by name.'),
  }),
  errors: {},

  async handle(_, { db }) {
    const categories = await allInvestmentCategories(db);
    return {
      categories: categories.map(({ strategiesCount, ...category }) => ({
        ...investmentCategoryView(category),
        strategiesCount,
      })),
    };
  },
});
