import { changeInvestmentCategoryEndpoint } from './change';
import { createInvestmentCategoryEndpoint } from './create';
import { listAllInvestmentCategories } from './list';

export const adminInvestmentCategoryEndpoints = [
  listAllInvestmentCategories,
  createInvestmentCategoryEndpoint,
  changeInvestmentCategoryEndpoint,
];
