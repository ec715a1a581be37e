import { listCategoriesEndpoint } from './list';
import { showCategoryEndpoint } from './show';

export const categoryEndpoints = [listCategoriesEndpoint, showCategoryEndpoint];
