import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { sentFields } from '../../../http/request/sent-fields';
import { actorOf } from '../../actor';
import { InvestmentCategoryRequest, investmentCategoryView, SetInvestmentCategory } from './category.view';
import { createInvestmentCategory } from './create.command';

const DEFAULTS = { description: null, imageUrl: null };

export const createInvestmentCategoryEndpoint = endpoint({
  id: 'createInvestmentCategory',
  returns: 'The new category',
  method: 'post',
  path: '/admin/investment-categories',
  summary: 'Create a category of strategies',
  description: 'Without a slug, one is made from the name. At most 200 categories.',
  tag: 'Administration: strategies',
  auth: 'super-admin',
  limit: perMinute(200),

  body: InvestmentCategoryRequest,
  success: 201,
  data: SetInvestmentCategory,
  errors: { SLUG_ALREADY_EXISTS: 409 },

  async handle({ body }, { caller, db, mint, request }) {
    const { investmentCategory: id } = await mint('investmentCategory');
    const { name, isActive } = body;
    const category = { ...DEFAULTS, ...sentFields(body), name, isActive };
    return investmentCategoryView(
      await createInvestmentCategory(db, id, category, actorOf({ caller, request })),
    );
  },
});
