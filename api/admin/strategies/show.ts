import { strategyFinancials } from '../../../db/investment/strategy/administered-strategy-list.reads';
import { strategyDetail } from '../../../db/investment/strategy/shown-strategy.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { AdminStrategyDetail, adminStrategyDetailView, oneStrategy } from './admin-strategy.view';
import { noSuchStrategy } from './strategy.requirements';

export const showStrategyForAdmin = endpoint({
  id: 'getAnyStrategy',
  returns: 'The strategy with every field',
  method: 'get',
  path: '/admin/strategies/:id',
  summary: 'Show a strategy as administrators edit it',
  description: 'Every field that PATCH can change is in it, in the form that PATCH takes.',
  tag: 'Administration: strategies',
  auth: 'admin',
  limit: perMinute(200),

  params: oneStrategy,
  success: 200,
  data: AdminStrategyDetail,
  errors: { STRATEGY_NOT_FOUND: 404 },

  async handle({ params: { id } }, { db }) {
    const strategy = await strategyDetail(db, id);
    if (!strategy) throw noSuchStrategy();
    return adminStrategyDetailView(strategy, await strategyFinancials(db, id));
  },
});
