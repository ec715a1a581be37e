import { z } from 'zod';
import { amount, count, type AnalyticsPage, type PointSums } from './reading/page';
import { SALES_FIGURES, salesOf } from './sales';

const point = z.object({
  orders: count('Orders that were paid.'),
  netSales: amount('Goods that were paid for, less discounts and refunds, without tax and shipping.'),
  newCustomers: count('People who paid their first order.'),
  participations: count('Participations that began.'),
  invested: amount('The money that was deposited in them.'),
  returns: amount('Profits that providers distributed, less losses.'),
  partnersJoined: count('Partners who joined.'),
  commissions: amount('Commissions that were earned, less what was reversed; gross.'),
  payoutsCompleted: count('Payouts of partners and from wallets whose money arrived.'),
  paidOut: amount('Their amounts.'),
  kycApproved: count('Identity verifications that were approved.'),
});

const pointOf = ({ within }: PointSums): z.output<typeof point> => ({
  orders: within.count('sale'),
  netSales: within.inMajor(salesOf(within).net),
  newCustomers: within.count('sale.customer', 'NEW'),
  participations: within.count('investment.deposit'),
  invested: within.major('investment.deposit'),
  returns: within.major('investment.profit'),
  partnersJoined: within.count('partner.joined'),
  commissions: within.inMajor(within.minor('commission.earned') - within.minor('commission.reversed')),
  payoutsCompleted: within.count('payout.completed'),
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
        ),
        outgoing: amount(
          'SALES: what was taken back of orders, with tax and shipping. INVESTMENTS: what was paid out after penalties, into wallets and next terms too. PAYOUTS: completed ones, of partners and from wallets.',
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
  show: { method: 'get', path: '/admin/analytics/overview' },
  export: { method: 'get', path: '/admin/analytics/overview/export' },
  summary: 'Show the main figures',
  point,
  breakdown,
  figures: [
    ...SALES_FIGURES,
    ...(['investment.deposit', 'investment.profit', 'investment.withdrawal'] as const),
    ...([
      'partner.joined',
      'commission.earned',
      'commission.reversed',
      'payout.completed',
      'kyc.approved',
    ] as const),
  ],
  ofRange: [],
  before: [],
  pointOf,
  breakdownOf: ({ within }) => {
    const { gross, discounts, refunds } = salesOf(within);
    const sales = gross - discounts + within.minor('sale.shipping') + within.minor('sale.tax');
    const takenBack = refunds + within.minor('refund.shipping') + within.minor('refund.tax');
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
