import { z } from 'zod';
import { StrategyStatusField } from '../../investment/strategies/strategy.view';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { createStrategy } from './create.command';
import { strategyFrom, StrategyRequest } from './strategy.request';
import { demo } from '../../http/request/ids/demo-ids';

const CreatedStrategy = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    status: StrategyStatusField,
    createdAt: z.iso.datetime(),
    createdBy: z.uuid().describe('The administrator who did it.'),
  })
  .meta({ id: 'CreatedStrategy' });

export const createStrategyEndpoint = endpoint({
  id: 'createStrategy',
  returns: 'The new strategy',
  method: 'post',
  path: '/admin/strategies',
  summary: 'Create a strategy',
  description:
    'Its slug is made from its name, with -2, -3 and so on if others have it, and stays when the name changes. Rates are annual percentages over 365 days.',
  tag: 'Administration: strategies',
  auth: 'super-admin',
  limit: perMinute(200),

  body: StrategyRequest,
  example: { categoryId: demo.strategyCategory },
  success: 201,
  data: CreatedStrategy,
  errors: { CATEGORY_NOT_FOUND: 404, PROVIDER_NOT_FOUND: 404 },

  async handle({ body }, { caller, db, mint, request }) {
    const { strategy: id } = await mint('strategy');
    const { providerCode, strategyCode } = body;
    const { currency } = body.investment;
    const strategy = { ...strategyFrom(body), currency, providerCode, strategyCode };
    const created = await createStrategy(db, id, strategy, actorOf({ caller, request }));
    const { name, slug, status, createdAt } = created;
    return { id, name, slug, status, createdAt: createdAt.toISOString(), createdBy: caller.id };
  },
});
