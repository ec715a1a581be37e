import { z } from 'zod';
import { amount, count, type AnalyticsPage, type PointSums } from './reading/page';

const point = z.object({
  netRevenue: amount(
    'Sales: goods that were paid for after discounts, less those whose price was taken back; without tax and shipping.',
    'when the order was paid, and when its money was back with the buyer',
  ),
  invested: amount('Investments: the money that was deposited.', 'when the money was deposited'),
  partnersJoined: count('Partners who joined.', 'when the partner joined'),
  paidOut: amount('Payouts of partners and from wallets whose money arrived.', 'when the money arrived'),
  kycApproved: count('Identity verifications that were approved.', 'when it was approved'),
});

const pointOf = ({ within }: PointSums): z.output<typeof point> => ({
  netRevenue: within.inMajor(within.minor('sale') - within.minor('refund')),
  invested: within.major('investment.deposit'),
  partnersJoined: within.count('partner.joined'),
  paidOut: within.major('payout.completed'),
  kycApproved: within.count('kyc.approved'),
});

const breakdown = z.object({
  turnover: z
    .array(
      z.object({
        area: z
          .enum(['SALES', 'INVESTMENTS', 'PAYOUTS'])
          .meta({ description: 'The part of the platform that the money belongs to.' }),
        incoming: amount(
          'SALES: paid orders after discounts, with tax and shipping, whatever they were paid from. INVESTMENTS: deposits, also of matured participations that were reinvested. PAYOUTS: 0.',
          'when the order was paid or the money was deposited',
        ),
        outgoing: amount(
          'SALES: what was taken back of orders, with tax and shipping. INVESTMENTS: what was paid out after penalties, into wallets and next terms too. PAYOUTS: completed ones, of partners and from wallets.',
          'when the money was back, was paid out or arrived',
        ),
      }),
    )
    .meta({
      description:
        'Turnover by area. It is not money that crossed the border of the platform, and areas must not be added up: the same money counts in each area that it passes through, each time. What matured into a wallet and was paid out from there counts under INVESTMENTS and under PAYOUTS.',
    }),
});

export const overviewPage: AnalyticsPage = {
  name: 'overview',
  show: { id: 'getOverview', returns: 'The main figures', method: 'get', path: '/admin/analytics/overview' },
  export: {
    id: 'exportOverview',
    returns: 'The main figures as CSV',
    method: 'get',
    path: '/admin/analytics/overview/export',
  },
  summary: 'Show the main figures',
  point,
  breakdown,
  figures: [
    ...(['sale', 'sale.shipping', 'sale.tax', 'refund', 'refund.shipping', 'refund.tax'] as const),
    ...(['investment.deposit', 'investment.withdrawal'] as const),
    ...(['partner.joined', 'payout.completed', 'kyc.approved'] as const),
  ],
  ofRange: [],
  before: [],
  pointOf,
  breakdownOf: ({ within }) => {
    const sales = within.minor('sale') + within.minor('sale.shipping') + within.minor('sale.tax');
    const takenBack = within.minor('refund') + within.minor('refund.shipping') + within.minor('refund.tax');
    return Promise.resolve({
      turnover: [
        { area: 'SALES', incoming: within.inMajor(sales), outgoing: within.inMajor(takenBack) },
        {
          area: 'INVESTMENTS',
          incoming: within.major('investment.deposit'),
          outgoing: within.major('investment.withdrawal'),
        },
        { area: 'PAYOUTS', incoming: 0, outgoing: within.major('payout.completed') },
      ],
    });
  },
};
