import { z } from 'zod';
import { ranksAt } from '../../../db/partners/rank/rank-names.reads';
import type { Db } from '../../../db/sql/query';
import { COMMISSION_TYPES } from '../../../workflows/partners/commission/commission.rules';
import { CommissionTypeField } from '../../mlm/commissions/commission.view';
import { amount, count, type AnalyticsPage, type PointSums, type RangeSums } from './reading/page';
import type { Sums } from './reading/sums';

const OF_COMMISSIONS = ['commission.earned', 'commission.reversed', 'commission.paid'] as const;
const OF_RANKS = ['rank.commission.earned', 'rank.commission.reversed', 'rank.commission.paid'] as const;

const commissions = {
  commissions: amount(
    'Gross amounts of commissions that were earned, as they were first counted, shares of pools and bonuses included; adjustments by hand do not change them. Pending ones are included.',
    'when the commission was first counted',
  ),
  reversed: amount(
    'Gross amounts that refunds, lost chargebacks or administrators took back, less those that returned chargebacks restored; below zero where more was restored.',
    'when it was taken back or restored',
  ),
};

const point = z.object({
  joined: count('Partners who joined.', 'when the partner joined'),
  active: count('Partners who were ACTIVE.', 'at the end of the last day'),
  ...commissions,
});

const pointOf = ({ within, upTo }: PointSums): z.output<typeof point> => ({
  joined: within.count('partner.joined'),
  active: upTo.count('partner.active'),
  commissions: within.major('commission.earned'),
  reversed: within.major('commission.reversed'),
});

const divided = {
  ...commissions,
  earned: count('Commissions that were earned.', 'when the commission was first counted'),
  paid: amount('Net amounts that payouts paid.', 'when the payout was completed'),
};

const breakdown = z.object({
  byType: z
    .array(z.object({ type: CommissionTypeField, ...divided }))
    .meta({ description: 'By the type of commission.' }),
  byRank: z
    .array(
      z.object({
        rank: z
          .object({
            level: z.number().meta({ description: 'From 1, the lowest.', example: 2 }),
            code: z
              .string()
              .meta({ description: 'The short name of the rank, such as LEADER.', example: 'BUILDER' }),
            name: z.string().meta({ example: 'Builder' }),
          })
          .describe('The rank in the partner programme.'),
        active: count('Active partners with this rank.', 'at the end of the last day'),
        ...divided,
      }),
    )
    .meta({
      description:
        'By rank. Commissions by the rank that the partner had when they were earned. Ranks are named as the programme names them today.',
    }),
});

function dividedBy(
  sums: Sums,
  [earned, reversed, paid]: typeof OF_COMMISSIONS | typeof OF_RANKS,
  part: string,
) {
  return {
    commissions: sums.major(earned, part),
    reversed: sums.major(reversed, part),
    earned: sums.count(earned, part),
    paid: sums.major(paid, part),
  };
}

function byType({ within }: RangeSums) {
  const present = new Set(within.parts(...OF_COMMISSIONS));
  return COMMISSION_TYPES.filter((type) => present.has(String(type))).map((type) => ({
    type,
    ...dividedBy(within, OF_COMMISSIONS, String(type)),
  }));
}

async function byRank({ ofRange, atEnd }: RangeSums, db: Db) {
  const levels = [...new Set([...atEnd.parts('partner.active'), ...ofRange.parts(...OF_RANKS)])].map(Number);
  const ranks = new Map((await ranksAt(db, new Date())).map((rank) => [rank.level, rank]));
  return levels
    .sort((one, other) => one - other)
    .map((level) => ({
      rank: { level, code: ranks.get(level)?.code ?? '', name: ranks.get(level)?.name ?? '' },
      active: atEnd.count('partner.active', String(level)),
      ...dividedBy(ofRange, OF_RANKS, String(level)),
    }));
}

export const partnersPage: AnalyticsPage = {
  name: 'partners',
  show: {
    id: 'getPartnerFigures',
    returns: 'The figures of the partner programme',
    method: 'get',
    path: '/admin/analytics/partners',
  },
  export: {
    id: 'exportPartnerFigures',
    returns: 'The figures of the programme as CSV',
    method: 'get',
    path: '/admin/analytics/partners/export',
  },
  summary: 'Show figures of the partner programme',
  point,
  breakdown,
  figures: ['partner.joined', 'partner.active', ...OF_COMMISSIONS],
  ofRange: OF_RANKS,
  before: ['partner.active'],
  pointOf,
  breakdownOf: async (sums, db) => ({ byType: byType(sums), byRank: await byRank(sums, db) }),
};
