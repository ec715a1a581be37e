import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { oneCategory } from './category.view';
import { deleteCategory } from './remove.command';

export const removeCategory = endpoint({
  id: 'deleteCategory',
  returns: 'The category that was deleted',
  method: 'delete',
  path: '/admin/categories/:id',
  summary: 'Delete a category',
  description: 'Refused with VALIDATION_ERROR while subcategories or products are in it.',
  tag: 'Administration: categories',
  auth: 'admin',
  limit: perMinute(200),

  params: oneCategory,
  success: 200,
  data: z.object({
    message: z.string().meta({ example: 'The category is deleted.' }),
    categoryId: z.uuid().describe('The category that was deleted.'),
  }),
  errors: { CATEGORY_NOT_FOUND: 404 },

  async handle({ params: { id } }, { caller, db, request }) {
    await deleteCategory(db, id, actorOf({ caller, request }));
    return { message: 'The category is deleted.', categoryId: id };
  },
});
