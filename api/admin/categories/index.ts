import { changeCategoryEndpoint } from './change';
import { createCategoryEndpoint } from './create';
import { listAdminCategories } from './list';
import { removeCategory } from './remove';

export const adminCategoryEndpoints = [
  listAdminCategories,
  createCategoryEndpoint,
  changeCategoryEndpoint,
  removeCategory,
];
