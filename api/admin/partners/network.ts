import { z } from 'zod';
import { namedPartner } from '../../../db/partners/membership/partner-name.reads';
import { networkLevels, networkPage, networkSize } from '../../../db/partners/network/network.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import {
  levelsView,
  NETWORK_BOUND,
  networkNodeView,
  networkQuery,
  PartnerNetwork,
} from '../../mlm/partner/network.view';
import { windowOf } from '../../http/answer/paging';
import { noSuchPartner, onePartner } from './one-partner';

export const showPartnerNetwork = endpoint({
  id: 'listPartnerNetwork',
  returns: 'One page of the partners below',
  method: 'get',
  path: '/admin/partners/:id/network',
  summary: 'List the partners below one',
  description: `By level, then in the order in which they joined. A new partner is listed at once and counted in \`stats\` within seconds. ${NETWORK_BOUND}`,
  tag: 'Administration: partners',
  auth: 'admin',
  limit: perMinute(200),

  params: onePartner(),
  query: z.object(networkQuery),
  success: 200,
  paginated: true,
  data: PartnerNetwork,
  errors: { PARTNER_NOT_FOUND: 404 },

  async handle({ params: { id }, query: { page, pageSize, depth } }, { db, reply }) {
    const partner = await namedPartner(db, { partnerId: id });
    if (!partner) throw noSuchPartner();
    const [found, levels, totalSize] = await Promise.all([
      networkPage(db, partner, { depth, ...windowOf({ page, pageSize }) }),
      networkLevels(db, id, depth),
      networkSize(db, id),
    ]);
    reply.page({ total: found.total, page, pageSize });
    return {
      partnerId: id,
      partnerName: partner.name,
      network: found.members.map(networkNodeView),
      stats: { totalSize, byLevel: levelsView(levels) },
    };
  },
});
