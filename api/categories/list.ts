import { z } from 'zod';
import { activeCategories } from '../../db/catalog/shop/shop-category.reads';
import { endpoint } from '../http/endpoint';
import { flag, uuid } from '../http/request/fields';
import { perMinute } from '../http/limits/limits';
import { Category, categoryTree } from './category.view';

export const listCategories = endpoint({
  id: 'listCategories',
  returns: 'The categories as a tree',
  method: 'get',
  path: '/categories',
  summary: 'List categories as a tree',
  description: 'Each category with its subcategories, from the top or from one category down.',
  tag: 'Categories',
  auth: 'public',
  limit: perMinute(200),

  query: z.object({
    parentId: z
      .union([z.literal('null'), uuid()], 'must be a UUID or null')
      .default('null')
      .meta({
        description: 'The category whose children to list; null, the default, for the top of the tree.',
      }),
    includeProducts: flag().default(false).meta({ description: 'Whether to count products.' }),
  }),
  success: 200,
  data: z.object({ categories: z.array(Category).describe('Categories with their subcategories.') }),
  errors: {},
  cached: true,

  async handle({ query: { parentId, includeProducts } }, { db }) {
    const categories = await activeCategories(db, { countProducts: includeProducts });
    return { categories: categoryTree(categories, parentId === 'null' ? null : parentId) };
  },
});
