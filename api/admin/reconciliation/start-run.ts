import { z } from 'zod';
import { listRuns } from '../../../db/commerce/reconciliation/reconciliation.reads';
import {
  comparableDays,
  whyNotComparable,
} from '../../../workflows/commerce/reconciliation/reconciliation.rules';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import type { Context } from '../../http/handler-context';
import { perMinute } from '../../http/limits/limits';
import { calendarDay } from '../../http/request/fields';
import { actorOf } from '../actor';
import { DAY, ReconciledProviderField } from './run.view';
import { startReconciliation } from './start-run.command';

export const startReconciliationRun = endpoint({
  id: 'startReconciliationRun',
  returns: 'Whether it has begun',
  method: 'post',
  path: '/admin/reconciliation/runs',
  summary: 'Compare a day with a payment provider',
  description:
    'Reads the day from the provider again, compares it, and resolves differences that are gone. A day can be compared an hour after its end, and as long as what providers said is kept.',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(10),
  idempotent: false,

  body: z.object({ provider: ReconciledProviderField, day: calendarDay().meta(DAY) }),
  success: 200,
  data: z.object({
    workflowId: z.string().meta({ description: 'The process of the comparison.' }),
    outcome: z.enum(['STARTED', 'RUNNING']).meta({
      description: 'STARTED: it has begun. RUNNING: it was under way already, and goes on.',
    }),
  }),
  errors: { PROVIDER_NOT_FOUND: 404 },

  async handle({ body: { provider, day } }, context) {
    const { db, policy, processes } = context;
    if (!(await hasStatement(provider, context)))
      throw refusal('PROVIDER_NOT_FOUND', 'No such payment provider is in use.');
    const why = whyNotComparable(day, comparableDays(provider, policy), new Date());
    if (why !== null) throw refusal('VALIDATION_ERROR', 'The day cannot be compared.', { day: [why] });
    return startReconciliation({ db, processes }, { provider, day }, actorOf(context));
  },
});

/**
 * True if workers can read the statement of a provider, as far as the API knows, which has no key of it: it takes payments or
 * sends money out, or was compared before. One that is not in use any more is compared as long as there is a key.
 */
async function hasStatement(
  provider: string,
  { db, paymentIntake, payoutProvider }: Pick<Context, 'db' | 'paymentIntake' | 'payoutProvider'>,
): Promise<boolean> {
  if (paymentIntake(provider) !== null || payoutProvider === provider) return true;
  return (await listRuns(db, provider, { limit: 1, offset: 0 })).total > 0;
}
