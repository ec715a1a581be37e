import { listCategoriesEndpoint } from './list';

export const categoryEndpoints = [listCategoriesEndpoint];
