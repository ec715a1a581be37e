import { z } from 'zod';
import { deleteCategory } from '../../../db/catalog/category/category.writes';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { noSuchCategory, oneCategory } from './category.view';

export const removeCategoryEndpoint = endpoint({
  method: 'delete',
  path: '/admin/categories/:id',
  summary: 'Delete a category',
  description: 'Refused with VALIDATION_ERROR while subcategories or products are in it.',
  tag: 'Administration: categories',
  auth: 'admin',
  limit: perMinute(200),

  params: oneCategory,
  success: 200,
  data: z.object({ message: z.string().meta({ example: 'The category is deleted.' }), categoryId: z.uuid() }),
  errors: { CATEGORY_NOT_FOUND: 404 },

  async handle({ params: { id } }, { caller, db, request }) {
    const by = { actorId: caller.id, clientAddress: request.clientAddress };
    if (!(await deleteCategory(db, id, by))) throw noSuchCategory();
    return { message: 'The category is deleted.', categoryId: id };
  },
});
