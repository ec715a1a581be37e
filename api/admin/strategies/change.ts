import { z } from 'zod';
import { StrategyStatusField } from '../../investment/strategies/strategy.view';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { oneStrategy } from './admin-strategy.view';
import { changeStrategy } from './change.command';
import { StrategyChange, strategyChangesFrom } from './strategy.request';

const ChangedStrategy = z
  .object({
    id: z.uuid(),
    name: z.string(),
    status: StrategyStatusField,
    updatedAt: z.iso.datetime(),
    updatedBy: z.uuid().describe('The administrator who did it.'),
  })
  .meta({ id: 'ChangedStrategy' });

export const changeStrategyEndpoint = endpoint({
  id: 'updateStrategy',
  returns: 'The strategy as it is now',
  method: 'patch',
  path: '/admin/strategies/:id',
  summary: 'Change a strategy',
  description:
    'Fields left out stay as they are, and the slug always does. Participations keep the terms that they began with. A strategy is closed only when none of them runs or waits for its payment.',
  tag: 'Administration: strategies',
  auth: 'admin',
  limit: perMinute(200),

  params: oneStrategy,
  body: StrategyChange,
  example: {
    name: 'City Homes',
    shortDescription: 'Rent of four hundred flats in six cities.',
    description: undefined,
    categoryId: undefined,
    riskDisclosure: undefined,
    returnRate: undefined,
    terms: undefined,
  },
  success: 200,
  data: ChangedStrategy,
  errors: { STRATEGY_NOT_FOUND: 404, HAS_ACTIVE_PARTICIPATIONS: 400 },

  async handle({ params: { id }, body }, context) {
    const { caller, db } = context;
    const changed = await changeStrategy(db, id, strategyChangesFrom(body), actorOf(context));
    const { name, status, updatedAt } = changed;
    return { id, name, status, updatedAt: updatedAt.toISOString(), updatedBy: caller.id };
  },
});
