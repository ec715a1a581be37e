import { z } from 'zod';
import { payoutsAreStopped } from '../../../db/commerce/reconciliation/payouts-stopped.reads';
import { listRuns } from '../../../db/commerce/reconciliation/reconciliation.reads';
import { paging, windowOf } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { ReconciledProviderField, ReconciliationRunView, runView } from './run.view';

export const listReconciliationRuns = endpoint({
  id: 'listReconciliationRuns',
  returns: 'One page of comparisons',
  method: 'get',
  path: '/admin/reconciliation/runs',
  summary: 'List comparisons with payment providers',
  description:
    'The latest day first. Each day is compared once it has ended, and again when it is asked for.',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    provider: ReconciledProviderField.optional().describe('The short name of the provider.'),
  }),
  success: 200,
  paginated: true,
  data: z.object({
    runs: z.array(ReconciliationRunView).meta({ description: 'One for each provider and day.' }),
    payoutsStopped: z.boolean().meta({
      description:
        'Whether no payout is sent, because a difference with a provider is open and the policy says so, or because the database was restored from a copy and that is not released.',
    }),
  }),
  errors: {},

  async handle({ query: { page, pageSize, provider = null } }, { db, policy, reply }) {
    const { total, runs } = await listRuns(db, provider, {
      ...windowOf({ page, pageSize }),
    });
    reply.page({ total, page, pageSize });
    return { runs: runs.map(runView), payoutsStopped: await payoutsAreStopped(db, policy) };
  },
});
