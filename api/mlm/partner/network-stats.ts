import { z } from 'zod';
import { networkFigures, networkLevels } from '../../../db/partners/network/network.reads';
import { figureInMajor, PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { ownStandingPartner } from '../own-partner';
import { levelsView, NetworkStats } from './network.view';

export const showOwnNetworkStats = endpoint({
  id: 'getOwnNetworkStats',
  returns: 'The figures of your network',
  method: 'get',
  path: '/mlm/partner/network/stats',
  summary: 'Show the figures of your network',
  description:
    'Of every level below you. New partners and sales are counted within seconds. Not for one whose membership has ended.',
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  success: 200,
  data: NetworkStats.extend({
    activeReferrals: z.int().describe('People brought directly who have paid an order within 90 days.'),
    volume: z
      .object({
        period: z.number().meta({ description: 'In this month (UTC).' }),
        total: z.number().describe('Since the partner joined.'),
      })
      .describe('What customers of the partner and of everybody below have bought.'),
  }).meta({ id: 'OwnNetworkStats' }),
  errors: { NOT_A_PARTNER: 403 },

  async handle(_request, { db, caller }) {
    const partner = await ownStandingPartner({ db, caller });
    const [levels, figures] = await Promise.all([
      networkLevels(db, partner.id, null),
      networkFigures(db, partner.id),
    ]);
    return {
      totalSize: figures.totalSize,
      byLevel: levelsView(levels),
      activeReferrals: figures.activeReferrals,
      volume: {
        period: figureInMajor(figures.periodVolumeMinor, PLATFORM_CURRENCY),
        total: figureInMajor(figures.totalVolumeMinor, PLATFORM_CURRENCY),
      },
    };
  },
});
