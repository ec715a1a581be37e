import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { text } from '../../http/request/fields';
import { actorOf } from '../actor';
import { differenceView, ReconciliationDifferenceView } from './difference.view';
import { resolveOpenDifference } from './resolve.command';
import { idOf } from '../../http/request/ids/id-of';

const ResolveDifferenceRequest = z
  .object({
    note: text({ min: 3, max: 500 }).meta({
      description: 'The explanation, for the list and the audit trail.',
      example: 'A correction of the provider, agreed by phone; booked by hand.',
    }),
  })
  .meta({ id: 'ResolveDifferenceRequest' });

export const resolveReconciliationDifference = endpoint({
  id: 'resolveReconciliationDifference',
  returns: 'The resolved difference',
  method: 'post',
  path: '/admin/reconciliation/differences/:id/resolve',
  summary: 'Resolve a difference with a payment provider',
  description:
    'For one that a person has explained. It no longer stops payouts, and opens again if its amounts change. One that is resolved already stays as it is. Nobody resolves one about their own money.',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: idOf('payment difference') }),
  body: ResolveDifferenceRequest,
  success: 200,
  data: ReconciliationDifferenceView,
  errors: { DIFFERENCE_NOT_FOUND: 404, FORBIDDEN: 403 },

  async handle({ params: { id }, body: { note } }, { caller, db, request }) {
    const by = { ...actorOf({ caller, request }), actorId: caller.id };
    return differenceView(await resolveOpenDifference(db, { id, note }, by));
  },
});
