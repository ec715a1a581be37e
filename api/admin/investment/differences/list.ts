import { z } from 'zod';
import {
  listDifferences,
  providerStandings,
} from '../../../../db/investment/reconciliation/investment-difference.reads';
import { paging, windowOf } from '../../../http/answer/paging';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { text } from '../../../http/request/fields';
import {
  DIFFERENCE_STATES,
  DifferenceKindField,
  differenceView,
  InvestmentDifferenceView,
  ProviderStandingView,
  standingView,
} from './difference.view';

export const listInvestmentDifferences = endpoint({
  id: 'listInvestmentDifferences',
  returns: 'One page of differences, and how matters stand with each provider',
  method: 'get',
  path: '/admin/investment/differences',
  summary: 'List differences with investment providers',
  description:
    'Newest first: where what providers reported is not what is held, as the daily comparison found it. Also what each provider owes, and the last push of identity verifications to it.',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    provider: text({ min: 1, max: 50 })
      .optional()
      .meta({ description: 'The code of an investment provider.', example: 'alpha' }),
    kind: DifferenceKindField.optional().describe('Only differences of this sort.'),
    state: z
      .enum([...DIFFERENCE_STATES, 'ALL'])
      .default('OPEN')
      .meta({
        description: 'OPEN: those that were there at the last comparison and that nobody has accepted.',
      }),
  }),
  success: 200,
  paginated: true,
  data: z.object({
    differences: z.array(InvestmentDifferenceView).describe('One page of differences.'),
    providers: z.array(ProviderStandingView).describe('How matters stand with each provider, by code.'),
  }),
  errors: {},

  async handle({ query: { page, pageSize, provider = null, kind = null, state } }, { db, reply }) {
    const { total, differences } = await listDifferences(
      db,
      { provider, kind, state: state === 'ALL' ? null : state },
      windowOf({ page, pageSize }),
    );
    reply.page({ total, page, pageSize });
    const standings = await providerStandings(db, provider);
    return { differences: differences.map(differenceView), providers: standings.map(standingView) };
  },
});
