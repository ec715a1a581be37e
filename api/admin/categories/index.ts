import { changeCategoryEndpoint } from './change';
import { createCategoryEndpoint } from './create';
import { listAdminCategoriesEndpoint } from './list';
import { removeCategoryEndpoint } from './remove';

export const adminCategoryEndpoints = [
  listAdminCategoriesEndpoint,
  createCategoryEndpoint,
  changeCategoryEndpoint,
  removeCategoryEndpoint,
];
