import { z } from 'zod';
import { COMMISSION_TYPES } from '../../../workflows/partners/commission/commission.rules';
import { CommissionTypeField } from '../../mlm/commissions/commission.view';
import { amount, count, type AnalyticsPage, type PointSums } from './reading/page';

const point = z.object({
  joined: count('Partners who joined.'),
  commissions: count('Commissions that were earned, shares of pools and bonuses included.'),
  earned: amount(
    'Gross amounts of these as they were first counted; adjustments by hand do not change them. Pending ones are included.',
  ),
  reversed: amount('Gross amounts that refunds or administrators took back, when that was done.'),
  netEarned: amount('Earned less reversed.'),
  paidCommissions: count('Commissions that payouts paid.'),
  paid: amount('Net amounts of these, less what was taken back of them, when their payout was completed.'),
});

const pointOf = ({ within }: PointSums): z.output<typeof point> => ({
  joined: within.count('partner.joined'),
  commissions: within.count('commission.earned'),
  earned: within.major('commission.earned'),
  reversed: within.major('commission.reversed'),
  netEarned: within.inMajor(within.minor('commission.earned') - within.minor('commission.reversed')),
  paidCommissions: within.count('commission.paid'),
  paid: within.major('commission.paid'),
});

const breakdown = z.object({
  byType: z
    .array(
      z.object({
        type: CommissionTypeField,
        commissions: count('Commissions that were earned.'),
        earned: amount('Their gross amounts as they were first counted.'),
        reversed: amount('Gross amounts that were taken back.'),
        paid: amount('Net amounts that payouts paid.'),
      }),
    )
    .meta({ description: 'By the type of commission.' }),
});

export const partnersPage: AnalyticsPage = {
  name: 'partners',
  show: { method: 'get', path: '/admin/analytics/partners' },
  export: { method: 'get', path: '/admin/analytics/partners/export' },
  summary: 'Show figures of the partner programme',
  point,
  breakdown,
  figures: ['partner.joined', 'commission.earned', 'commission.reversed', 'commission.paid'],
  ofRange: [],
  before: [],
  pointOf,
  breakdownOf: ({ within }) => {
    const present = new Set(within.parts('commission.earned', 'commission.reversed', 'commission.paid'));
    const byType = COMMISSION_TYPES.filter((type) => present.has(String(type))).map((type) => ({
      type,
      commissions: within.count('commission.earned', String(type)),
      earned: within.major('commission.earned', String(type)),
      reversed: within.major('commission.reversed', String(type)),
      paid: within.major('commission.paid', String(type)),
    }));
    return Promise.resolve({ byType });
  },
};
