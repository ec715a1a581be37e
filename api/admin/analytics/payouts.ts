import { z } from 'zod';
import { payoutStates } from '../../../workflows/commerce/payout/payout.states';
import { amount, count, hours, type AnalyticsPage, type RangeSums } from './reading/page';
import type { Sums } from './reading/sums';
import { PayoutKindField, PayoutStatusField } from '../../mlm/payouts/payout.view';
import { PayoutMethodField } from '../../users/account.view';

const ENDED = ['payout.completed', 'payout.rejected', 'payout.cancelled'] as const;
const FIGURES = ['payout.requested', ...ENDED] as const;

const figures = {
  requested: amount('Payouts that were requested, of partners and from wallets.', 'when it was requested'),
  paid: amount('Payouts that were completed: their money arrived.', 'when the money arrived'),
  failed: amount(
    'Payouts that ended without being paid: rejected, with their amount returned or forfeited, or cancelled. A refused transfer ends none: it can be sent again.',
    'when it ended',
  ),
  open: amount('Payouts that were requested and had not ended.', 'at the end of the last day'),
};
const point = z.object(figures);

/** The figures of a point, from sums of its time and of all time up to its end. */
function pointOf({ within, upTo }: { within: Sums; upTo: Sums }, part?: string): z.output<typeof point> {
  const ended = ENDED.reduce((sum, figure) => sum + upTo.minor(figure, part), 0);
  return {
    requested: within.major('payout.requested', part),
    paid: within.major('payout.completed', part),
    failed: within.inMajor(within.minor('payout.rejected', part) + within.minor('payout.cancelled', part)),
    open: within.inMajor(upTo.minor('payout.requested', part) - ended),
  };
}

const breakdown = z.object({
  byMethod: z
    .array(
      z.object({
        kind: PayoutKindField,
        method: PayoutMethodField,
        ...figures,
        averageHours: hours(
          'From the request to the completion, of those paid; 0 without any.',
          'when the money arrived',
        ),
      }),
    )
    .meta({ description: 'By kind and method.' }),
  byStatus: z
    .array(
      z.object({
        status: PayoutStatusField,
        count: count('Payouts.', 'when it ended, or, while it is open, at the end of the last day'),
        amount: amount('Their amounts.', 'when it ended, or, while it is open, at the end of the last day'),
      }),
    )
    .meta({
      description:
        'By status: those that were open at the end of the last day, as they were then, and those that ended within the range.',
    }),
});

const byMethod = ({ within, atEnd }: RangeSums) =>
  atEnd.parts(...FIGURES).map((part) => {
    const [kind, method] = part.split(':');
    return {
      ...{ kind, method },
      ...pointOf({ within, upTo: atEnd }, part),
      averageHours: within.averageHours(['payout.completed'], part),
    };
  });

function byStatus({ within, atEnd }: RangeSums) {
  const counted = payoutStates.names.map((status) => {
    const figure = ENDED.find((ended) => ended === `payout.${status.toLowerCase()}`);
    const [sums, of, part] = figure
      ? ([within, figure, undefined] as const)
      : ([atEnd, 'status.payout', status] as const);
    return { status, count: sums.count(of, part), amount: sums.major(of, part) };
  });
  return counted.filter((status) => status.count > 0);
}

export const payoutsPage: AnalyticsPage = {
  name: 'payouts',
  show: {
    id: 'getPayoutFigures',
    returns: 'The figures of payouts',
    method: 'get',
    path: '/admin/analytics/payouts',
  },
  export: {
    id: 'exportPayoutFigures',
    returns: 'The figures of payouts as CSV',
    method: 'get',
    path: '/admin/analytics/payouts/export',
  },
  summary: 'Show figures of payouts',
  point,
  breakdown,
  figures: FIGURES,
  ofRange: ['status.payout'],
  before: [...FIGURES, 'status.payout'],
  pointOf,
  breakdownOf: (sums) => Promise.resolve({ byMethod: byMethod(sums), byStatus: byStatus(sums) }),
};
