import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { sentFields } from '../../http/request/sent-fields';
import { actorOf } from '../actor';
import { CategoryChange, categoryRecordView, oneCategory, SetCategory } from './category.view';
import { changeCategory } from './change.command';

export const changeCategoryEndpoint = endpoint({
  id: 'updateCategory',
  returns: 'The category as it is now',
  method: 'patch',
  path: '/admin/categories/:id',
  summary: 'Change or move a category',
  description: 'Fields left out stay as they are. Categories below it move with it.',
  tag: 'Administration: categories',
  auth: 'admin',
  limit: perMinute(200),

  params: oneCategory,
  body: CategoryChange,
  success: 200,
  data: SetCategory,
  errors: { CATEGORY_NOT_FOUND: 404, SLUG_ALREADY_EXISTS: 409 },

  async handle({ params: { id }, body }, { caller, db, request }) {
    return categoryRecordView(await changeCategory(db, id, sentFields(body), actorOf({ caller, request })));
  },
});
