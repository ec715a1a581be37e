import { z } from 'zod';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { sentFields } from '../../../http/request/sent-fields';
import { actorOf } from '../../actor';
import { InvestmentCategoryChange, investmentCategoryView, SetInvestmentCategory } from './category.view';
import { changeInvestmentCategory } from './change.command';
import { demo } from '../../../http/request/ids/demo-ids';
import { idOf } from '../../../http/request/ids/id-of';

export const changeInvestmentCategoryEndpoint = endpoint({
  id: 'updateInvestmentCategory',
  returns: 'The category as it is now',
  method: 'patch',
  path: '/admin/investment-categories/:id',
  summary: 'Change a category of strategies',
  description: 'Fields left out stay as they are. Strategies of an inactive category are still shown.',
  tag: 'Administration: strategies',
  auth: 'super-admin',
  limit: perMinute(200),

  params: z.object({ id: idOf('strategy category').meta({ example: demo.strategyCategory }) }),
  body: InvestmentCategoryChange,
  success: 200,
  data: SetInvestmentCategory,
  errors: { CATEGORY_NOT_FOUND: 404, SLUG_ALREADY_EXISTS: 409 },

  async handle({ params: { id }, body }, { caller, db, request }) {
    return investmentCategoryView(
      await changeInvestmentCategory(db, id, sentFields(body), actorOf({ caller, request })),
    );
  },
});
