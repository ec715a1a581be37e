import { z } from 'zod';
import { listAdministeredStrategies } from '../../../db/investment/strategy/administered-strategy-list.reads';
import { paging, windowOf } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { uuid } from '../../http/request/fields';
import { StrategyStatusField } from '../../investment/strategies/strategy.view';
import { AdminStrategy, adminStrategyView } from './admin-strategy.view';
import { identifying } from '../../http/request/ids/identified';

export const listStrategiesForAdmin = endpoint({
  id: 'listAllStrategies',
  returns: 'One page of strategies with their figures',
  method: 'get',
  path: '/admin/strategies',
  summary: 'List strategies',
  description: 'Newest first.',
  tag: 'Administration: strategies',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(50),
    status: z.enum([...StrategyStatusField.options, 'ALL']).default('ALL'),
    categoryId: identifying(uuid(), 'strategy category')
      .optional()
      .describe('Only strategies of this category.'),
  }),
  success: 200,
  paginated: true,
  data: z.object({ strategies: z.array(AdminStrategy).describe('One page of strategies.') }),
  errors: {},

  async handle({ query: { page, pageSize, status, categoryId } }, { db, reply }) {
    const { total, strategies } = await listAdministeredStrategies(
      db,
      { status: status === 'ALL' ? undefined : status, categoryId },
      windowOf({ page, pageSize }),
    );
    reply.page({ total, page, pageSize });
    return { strategies: strategies.map(adminStrategyView) };
  },
});
