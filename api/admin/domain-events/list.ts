import { z } from 'zod';
import { unsentEvents } from '../../../db/administration/domain-event/unsent-event.reads';
import { paging, windowOf } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { UnsentEventView, unsentEventView, UnsentState } from './unsent-event.view';

export const listUnsentEvents = endpoint({
  id: 'listUnsentEvents',
  returns: 'One page of events',
  method: 'get',
  path: '/admin/domain-events',
  summary: 'List events that a consumer has not applied',
  description:
    'Oldest first. An event of the last seconds is among them, too. Where more than 10,000 match, `total` may be less than their number.',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    state: UnsentState.default('WAITING').describe('The state of the sign-in, from the provider.'),
  }),
  success: 200,
  paginated: true,
  data: z.object({ events: z.array(UnsentEventView).describe('One page of events, oldest first.') }),
  errors: {},

  async handle({ query: { page, pageSize, state } }, { db, reply }) {
    const found = await unsentEvents(db, state, windowOf({ page, pageSize }));
    reply.page({ total: found.total, page, pageSize });
    return { events: found.events.map(unsentEventView) };
  },
});
