import { createCategory } from '../../../db/catalog/category/category.writes';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { given } from '../../users/given';
import { CategoryRequest, categoryRecordView, SetCategory } from './category.view';

const EMPTY = { description: null, imageUrl: null, parentId: null };

export const createCategoryEndpoint = endpoint({
  method: 'post',
  path: '/admin/categories',
  summary: 'Make a category',
  tag: 'Administration: categories',
  auth: 'admin',
  limit: perMinute(200),

  body: CategoryRequest,
  success: 201,
  data: SetCategory,
  errors: { CATEGORY_NOT_FOUND: 404, SLUG_ALREADY_EXISTS: 409 },

  async handle({ body }, { caller, db, mint, request }) {
    const { category: id } = await mint('category');
    const by = { actorId: caller.id, clientAddress: request.clientAddress };
    const { name, isActive } = body;
    return categoryRecordView(await createCategory(db, id, { ...EMPTY, ...given(body), name, isActive }, by));
  },
});
