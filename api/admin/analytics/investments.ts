import { z } from 'zod';
import { strategyNames } from '../../../db/administration/analytics/name.reads';
import type { Db } from '../../../db/sql/query';
import { amount, count, MOST_LINES, type AnalyticsPage, type RangeSums } from './reading/page';
import type { Sums } from './reading/sums';
import { RiskLevelField } from '../../investment/strategies/strategy.view';

const OF_STRATEGIES = [
  'strategy.deposit',
  'strategy.profit',
  'strategy.withdrawal',
  'strategy.penalty',
  'strategy.ended',
] as const;

const DEPOSITED = 'when the money was deposited';
const WITHDRAWN = 'by the time of the withdrawal';
const AT_END = 'at the end of the last day';

const figures = {
  invested: amount(
    'The money that was deposited, also of matured participations that were reinvested.',
    DEPOSITED,
  ),
  active: count('Participations that ran.', AT_END),
  returns: amount('Profits that providers distributed, less losses.', 'by the time that the provider gave'),
  withdrawn: amount(
    'What was paid out of participations, after penalties; also what was reinvested.',
    WITHDRAWN,
  ),
};
const point = z.object(figures);

const divided = {
  ...figures,
  participations: count('Participations that began.', DEPOSITED),
  activePrincipal: amount(
    'What had been deposited in the active ones; what was paid out while they run is not subtracted.',
    AT_END,
  ),
  penalties: amount('What was kept of early withdrawals; not in `withdrawn`.', WITHDRAWN),
};

const breakdown = z.object({
  byStrategy: z
    .array(
      z.object({
        strategyId: z.uuid().describe('The strategy that it is of.'),
        name: z.string().meta({ example: 'Balanced growth' }),
        ...divided,
      }),
    )
    .meta({ description: `The ${MOST_LINES} strategies into which most was deposited.` }),
  byRisk: z
    .array(z.object({ risk: RiskLevelField, ...divided }))
    .meta({ description: 'By the risk level of the strategy.' }),
});

/** The figures of a point, from sums of its time and of all time up to its end. */
const pointOf = ({ within, upTo }: { within: Sums; upTo: Sums }, part?: string): z.output<typeof point> => ({
  invested: within.major('investment.deposit', part),
  active: upTo.count('investment.deposit', part) - upTo.count('participation.ended', part),
  returns: within.major('investment.profit', part),
  withdrawn: within.major('investment.withdrawal', part),
});

const byRisk = ({ within, atEnd }: RangeSums) =>
  atEnd.parts('investment.deposit', 'participation.ended').map((risk) => ({
    risk,
    ...pointOf({ within, upTo: atEnd }, risk),
    participations: within.count('investment.deposit', risk),
    activePrincipal: atEnd.inMajor(
      atEnd.minor('investment.deposit', risk) - atEnd.minor('participation.ended', risk),
    ),
    penalties: within.major('investment.penalty', risk),
  }));

async function byStrategy({ ofRange, atEnd }: RangeSums, db: Db) {
  const active = (id: string): number =>
    atEnd.count('strategy.deposit', id) - atEnd.count('strategy.ended', id);
  const running = atEnd.parts('strategy.deposit').filter((id) => active(id) > 0);
  const ids = [...new Set([...ofRange.parts(...OF_STRATEGIES), ...running])]
    .sort((one, other) => ofRange.minor('strategy.deposit', other) - ofRange.minor('strategy.deposit', one))
    .slice(0, MOST_LINES);
  const names = await strategyNames(db, ids);
  return ids.map((id) => ({
    strategyId: id,
    name: names.get(id) ?? '',
    invested: ofRange.major('strategy.deposit', id),
    active: active(id),
    returns: ofRange.major('strategy.profit', id),
    withdrawn: ofRange.major('strategy.withdrawal', id),
    participations: ofRange.count('strategy.deposit', id),
    activePrincipal: atEnd.inMajor(atEnd.minor('strategy.deposit', id) - atEnd.minor('strategy.ended', id)),
    penalties: ofRange.major('strategy.penalty', id),
  }));
}

export const investmentsPage: AnalyticsPage = {
  name: 'investments',
  show: {
    id: 'getInvestmentFigures',
    returns: 'The figures of investments',
    method: 'get',
    path: '/admin/analytics/investments',
  },
  export: {
    id: 'exportInvestmentFigures',
    returns: 'The figures of investments as CSV',
    method: 'get',
    path: '/admin/analytics/investments/export',
  },
  summary: 'Show figures of investments',
  point,
  breakdown,
  figures: [
    ...(['investment.deposit', 'investment.profit', 'investment.withdrawal', 'investment.penalty'] as const),
    'participation.ended',
  ],
  ofRange: OF_STRATEGIES,
  before: ['investment.deposit', 'participation.ended', 'strategy.deposit', 'strategy.ended'],
  pointOf,
  breakdownOf: async (sums, db) => ({ byStrategy: await byStrategy(sums, db), byRisk: byRisk(sums) }),
};
