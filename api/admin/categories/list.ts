import { z } from 'zod';
import { allCategories } from '../../../db/catalog/category/administered-category.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { AdminCategory, adminTree, flattened } from './category.view';

export const listAdminCategories = endpoint({
  id: 'listAllCategories',
  returns: 'The categories',
  method: 'get',
  path: '/admin/categories',
  summary: 'List all categories, inactive ones too',
  description: 'Inactive ones too, as a tree or as one list.',
  tag: 'Administration: categories',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    view: z.enum(['tree', 'flat']).default('tree').meta({
      description:
        'As a tree by `children`, or as one list with empty `children`, in which the categories below one follow it.',
    }),
  }),
  success: 200,
  data: z.object({ categories: z.array(AdminCategory).describe('Categories with their subcategories.') }),
  errors: {},

  async handle({ query: { view } }, { db }) {
    const tree = adminTree(await allCategories(db));
    return { categories: view === 'tree' ? tree : flattened(tree) };
  },
});
