import { z } from 'zod';
import { rankChanges } from '../../../db/partners/rank/rank-progress.reads';
import { figureInMajor, PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import { paging, windowOf } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { ownPartner } from '../own-partner';
import { RankView } from './rank.view';

const RankChange = z
  .object({
    rank: RankView.describe('The rank in the partner programme.'),
    achievedAt: z.iso.datetime().describe('When the rank was reached.'),
    bonus: z
      .number()
      .meta({ description: 'For the ranks that were reached for the first time; otherwise 0.' }),
  })
  .meta({ id: 'RankChange', description: 'A change of rank, also to a lower one.' });

export const showRankHistory = endpoint({
  id: 'listRankChanges',
  returns: 'One page of your changes of rank',
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
  data: z.object({ history: z.array(RankChange).describe('The changes of rank, the newest first.') }),
  errors: { NOT_A_PARTNER: 403 },

  async handle({ query: { page, pageSize } }, context) {
    const { id: partnerId } = await ownPartner(context);
    const place = windowOf({ page, pageSize });
    const { total, changes } = await rankChanges(context.db, partnerId, place);
    context.reply.page({ total, page, pageSize });
    return {
      history: changes.map(({ toLevel, toCode, toName, changedAt, bonusMinor }) => ({
        rank: { level: toLevel, code: toCode, name: toName },
        achievedAt: changedAt.toISOString(),
        bonus: figureInMajor(bonusMinor, PLATFORM_CURRENCY),
      })),
    };
  },
});
