import { z } from 'zod';
import { rankChanges } from '../../../db/partners/rank/rank-progress.reads';
import { paging } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { ownPartner } from '../own-partner';
import { RankView } from './rank.view';

const RankChange = z
  .object({
    id: z.uuid(),
    from: RankView,
    to: RankView,
    byAdministrator: z.boolean().meta({ description: 'False if it was reached by points.' }),
    changedAt: z.iso.datetime(),
  })
  .meta({ id: 'RankChange', description: 'A change of rank.' });

export const showRankHistory = endpoint({
  method: 'get',
  path: '/mlm/ranks/history',
  summary: 'List your changes of rank',
  description: 'Newest first.',
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  query: z.object(paging(100)),
  success: 200,
  paginated: true,
  data: z.object({ changes: z.array(RankChange) }),
  errors: { NOT_A_PARTNER: 403 },

  async handle({ query: { page, pageSize } }, context) {
    const { id: partnerId } = await ownPartner(context);
    const place = { limit: pageSize, offset: (page - 1) * pageSize };
    const { total, changes } = await rankChanges(context.db, partnerId, place);
    context.reply.page({ total, page, pageSize });
    return {
      changes: changes.map((change) => ({
        id: change.id,
        from: { level: change.fromLevel, code: change.fromCode, name: change.fromName },
        to: { level: change.toLevel, code: change.toCode, name: change.toName },
        byAdministrator: change.changedBy !== null,
        changedAt: change.changedAt.toISOString(),
      })),
    };
  },
});
