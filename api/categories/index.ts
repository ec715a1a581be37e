import { listCategories } from './list';
import { showCategory } from './show';

export const categoryEndpoints = [listCategories, showCategory];
