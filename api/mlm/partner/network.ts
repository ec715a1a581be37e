import { z } from 'zod';
import { networkLevels, networkPage, networkSize } from '../../../db/partners/network/network.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { ownStandingPartner } from '../own-partner';
import { windowOf } from '../../http/answer/paging';
import { levelsView, NETWORK_BOUND, networkQuery, OwnNetwork, ownNetworkNodeView } from './network.view';

export const showOwnNetwork = endpoint({
  id: 'listOwnNetwork',
  returns: 'One page of the partners below you',
  method: 'get',
  path: '/mlm/partner/network',
  summary: 'List the partners below you',
  description: `By level, then in the order in which they joined; with first name and initial. A new partner is listed at once and counted in \`stats\` within seconds. ${NETWORK_BOUND} Not for one whose membership has ended.`,
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  query: z.object(networkQuery),
  success: 200,
  paginated: true,
  data: OwnNetwork,
  errors: { NOT_A_PARTNER: 403 },

  async handle({ query: { page, pageSize, depth } }, { db, caller, reply }) {
    const partner = await ownStandingPartner({ db, caller });
    const [found, levels, totalSize] = await Promise.all([
      networkPage(db, partner, { depth, ...windowOf({ page, pageSize }) }),
      networkLevels(db, partner.id, depth),
      networkSize(db, partner.id),
    ]);
    reply.page({ total: found.total, page, pageSize });
    return {
      partnerId: partner.id,
      partnerName: partner.name,
      network: found.members.map(ownNetworkNodeView),
      stats: { totalSize, byLevel: levelsView(levels) },
    };
  },
});
