import { z } from 'zod';
import { strategyNames } from '../../../db/administration/analytics/strategy-name.reads';
import type { Db } from '../../../db/sql/query';
import { amount, count, type AnalyticsPage, type PointSums } from './reading/page';
import type { Sums } from './reading/sums';

/** The most strategies of the breakdown. */
const MOST_STRATEGIES = 100;

const OF_STRATEGIES = [
  'strategy.deposit',
  'strategy.profit',
  'strategy.withdrawal',
  'strategy.penalty',
] as const;

const point = z.object({
  participations: count('Participations that began, counted when their money was deposited.'),
  invested: amount('The money that was deposited, also of matured participations that were reinvested.'),
  returns: amount('Profits that providers distributed, less losses; by the time that the provider gave.'),
  withdrawn: amount(
    'What was paid out of participations, after penalties, by the time of the withdrawal; also what was reinvested.',
  ),
  penalties: amount('What was kept of early withdrawals; not in `withdrawn`.'),
  ended: count('Participations that matured or were withdrawn.'),
  active: count('Participations that ran at the end of the last day.'),
  activePrincipal: amount(
    'What had been deposited in those; what was paid out while they run is not subtracted.',
  ),
});

const pointOf = ({ within, upTo }: PointSums): z.output<typeof point> => ({
  participations: within.count('investment.deposit'),
  invested: within.major('investment.deposit'),
  returns: within.major('investment.profit'),
  withdrawn: within.major('investment.withdrawal'),
  penalties: within.major('investment.penalty'),
  ended: within.count('participation.ended'),
  active: upTo.count('investment.deposit') - upTo.count('participation.ended'),
  activePrincipal: upTo.inMajor(upTo.minor('investment.deposit') - upTo.minor('participation.ended')),
});

const breakdown = z.object({
  byStrategy: z
    .array(
      z.object({
        strategyId: z.uuid(),
        name: z.string().meta({ example: 'Balanced growth' }),
        participations: count('Participations that began.'),
        invested: amount('The money that was deposited.'),
        returns: amount('Profits less losses.'),
        withdrawn: amount('What was paid out of participations, after penalties.'),
        penalties: amount('What was kept of early withdrawals; not in `withdrawn`.'),
      }),
    )
    .meta({ description: `The ${MOST_STRATEGIES} strategies into which most was deposited.` }),
});

async function byStrategy(ofRange: Sums, db: Db) {
  const ids = ofRange
    .parts(...OF_STRATEGIES)
    .sort((one, other) => ofRange.minor('strategy.deposit', other) - ofRange.minor('strategy.deposit', one))
    .slice(0, MOST_STRATEGIES);
  const names = await strategyNames(db, ids);
  return ids.map((id) => ({
    strategyId: id,
    name: names.get(id) ?? '',
    participations: ofRange.count('strategy.deposit', id),
    invested: ofRange.major('strategy.deposit', id),
    returns: ofRange.major('strategy.profit', id),
    withdrawn: ofRange.major('strategy.withdrawal', id),
    penalties: ofRange.major('strategy.penalty', id),
  }));
}

export const investmentsPage: AnalyticsPage = {
  name: 'investments',
  show: { method: 'get', path: '/admin/analytics/investments' },
  export: { method: 'get', path: '/admin/analytics/investments/export' },
  summary: 'Show figures of investments',
  point,
  breakdown,
  figures: [
    ...(['investment.deposit', 'investment.profit', 'investment.withdrawal', 'investment.penalty'] as const),
    'participation.ended',
  ],
  ofRange: OF_STRATEGIES,
  before: ['investment.deposit', 'participation.ended'],
  pointOf,
  breakdownOf: async ({ ofRange }, db) => ({ byStrategy: await byStrategy(ofRange, db) }),
};
