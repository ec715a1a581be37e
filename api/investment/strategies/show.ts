import { z } from 'zod';
import { catalogueTags } from '../../../db/catalog/catalogue-change/catalogue-channel';
import { strategyDetail } from '../../../db/investment/strategy/shown-strategy.reads';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { strategyReference } from '../../http/request/ids/references';
import { StrategyDetail, strategyDetailView } from './strategy-detail.view';

export const showStrategy = endpoint({
  id: 'getStrategy',
  returns: 'The strategy',
  method: 'get',
  path: '/investment/strategies/:id',
  summary: 'Show a strategy',
  description: 'The same answer for everyone: there are no personal rates, so a token changes nothing.',
  tag: 'Investment',
  auth: 'optional',
  limit: perMinute(200),

  params: z.object({ id: strategyReference() }),
  success: 200,
  data: StrategyDetail,
  errors: { STRATEGY_NOT_FOUND: 404 },
  cached: true,

  async handle({ params: { id } }, { db, reply }) {
    const strategy = await strategyDetail(db, id);
    if (!strategy) throw refusal('STRATEGY_NOT_FOUND');
    reply.dependsOn(catalogueTags.strategies, catalogueTags.strategy(id));
    return strategyDetailView(strategy);
  },
});
