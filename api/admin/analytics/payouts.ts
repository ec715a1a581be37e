import { z } from 'zod';
import { amount, count, hours, type AnalyticsPage, type PointSums } from './reading/page';

const FIGURES = ['payout.requested', 'payout.completed', 'payout.rejected', 'payout.cancelled'] as const;

const point = z.object({
  requested: count('Payouts that were requested, of partners and from wallets.'),
  requestedAmount: amount('Their amounts.'),
  completed: count('Payouts that were completed: their money arrived.'),
  completedAmount: amount('Their amounts.'),
  rejected: count('Payouts that administrators rejected.'),
  rejectedAmount: amount('Their amounts, returned or forfeited.'),
  cancelled: count('Payouts that were cancelled.'),
  cancelledAmount: amount('Their amounts.'),
  averageCompletionHours: hours('From the request to the completion, of those completed; 0 without any.'),
});

const pointOf = ({ within }: PointSums): z.output<typeof point> => ({
  requested: within.count('payout.requested'),
  requestedAmount: within.major('payout.requested'),
  completed: within.count('payout.completed'),
  completedAmount: within.major('payout.completed'),
  rejected: within.count('payout.rejected'),
  rejectedAmount: within.major('payout.rejected'),
  cancelled: within.count('payout.cancelled'),
  cancelledAmount: within.major('payout.cancelled'),
  averageCompletionHours: within.averageHours('payout.completed'),
});

const breakdown = z.object({
  byMethod: z
    .array(
      z.object({
        kind: z.enum(['PARTNER', 'WALLET']).meta({ description: 'A payout of a partner, or from a wallet.' }),
        method: z.enum(['BANK_TRANSFER', 'CARD', 'EWALLET']),
        requested: count('Payouts that were requested.'),
        requestedAmount: amount('Their amounts.'),
        completed: count('Payouts that were completed.'),
        completedAmount: amount('Their amounts.'),
      }),
    )
    .meta({ description: 'By kind and method.' }),
});

export const payoutsPage: AnalyticsPage = {
  name: 'payouts',
  show: { method: 'get', path: '/admin/analytics/payouts' },
  export: { method: 'get', path: '/admin/analytics/payouts/export' },
  summary: 'Show figures of payouts',
  point,
  breakdown,
  figures: FIGURES,
  ofRange: [],
  before: [],
  pointOf,
  breakdownOf: ({ within }) =>
    Promise.resolve({
      byMethod: within.parts(...FIGURES).map((part) => {
        const [kind, method] = part.split(':');
        return {
          ...{ kind, method },
          requested: within.count('payout.requested', part),
          requestedAmount: within.major('payout.requested', part),
          completed: within.count('payout.completed', part),
          completedAmount: within.major('payout.completed', part),
        };
      }),
    }),
};
