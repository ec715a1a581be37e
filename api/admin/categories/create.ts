import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { sentFields } from '../../http/request/sent-fields';
import { actorOf } from '../actor';
import { CategoryRequest, categoryRecordView, SetCategory } from './category.view';
import { createCategory } from './create.command';
import { demo } from '../../http/request/ids/demo-ids';

const DEFAULTS = { description: null, imageUrl: null, parentId: null };

export const createCategoryEndpoint = endpoint({
  id: 'createCategory',
  returns: 'The new category',
  method: 'post',
  path: '/admin/categories',
  summary: 'Create a category',
  description: 'Without a parent it is at the top. It is visible at once unless `isActive` is false.',
  tag: 'Administration: categories',
  auth: 'admin',
  limit: perMinute(200),

  body: CategoryRequest,
  example: { parentId: demo.category },
  success: 201,
  data: SetCategory,
  errors: { CATEGORY_NOT_FOUND: 404, SLUG_ALREADY_EXISTS: 409 },

  async handle({ body }, { caller, db, mint, request }) {
    const { category: id } = await mint('category');
    const { name, isActive } = body;
    const category = { ...DEFAULTS, ...sentFields(body), name, isActive };
    return categoryRecordView(await createCategory(db, id, category, actorOf({ caller, request })));
  },
});
