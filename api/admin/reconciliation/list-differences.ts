import { z } from 'zod';
import { listDifferences } from '../../../db/commerce/reconciliation/reconciliation.reads';
import { DIFFERENCE_STATUSES } from '../../../workflows/commerce/reconciliation/reconciliation.rules';
import { paging, windowOf } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { calendarDay } from '../../http/request/fields';
import {
  DifferenceKindField,
  differenceView,
  DifferingProviderField,
  ReconciliationDifferenceView,
} from './difference.view';

export const listReconciliationDifferences = endpoint({
  id: 'listReconciliationDifferences',
  returns: 'One page of differences',
  method: 'get',
  path: '/admin/reconciliation/differences',
  summary: 'List differences with payment providers',
  description:
    'Newest first. `dateFrom` and `dateTo` are days of the movements, both inclusive. One that is gone is resolved by the next comparison with that provider; one with `bank-file`, where the bank has contradicted itself, only by a person.',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    provider: DifferingProviderField.optional().describe('The short name of the provider.'),
    kind: DifferenceKindField.optional().describe('Only differences of this sort.'),
    status: z
      .enum([...DIFFERENCE_STATUSES, 'ALL'])
      .default('OPEN')
      .meta({ description: 'OPEN, RESOLVED or ALL.' }),
    dateFrom: calendarDay().optional(),
    dateTo: calendarDay().optional(),
  }),
  success: 200,
  paginated: true,
  data: z.object({ differences: z.array(ReconciliationDifferenceView).describe('One page of differences.') }),
  errors: {},

  async handle({ query }, { db, reply }) {
    const { page, pageSize, provider = null, kind = null, status } = query;
    const { dateFrom: from = null, dateTo: to = null } = query;
    const { total, differences } = await listDifferences(
      db,
      { provider, kind, status: status === 'ALL' ? null : status, from, to },
      windowOf({ page, pageSize }),
    );
    reply.page({ total, page, pageSize });
    return { differences: differences.map(differenceView) };
  },
});
