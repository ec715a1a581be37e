import { z } from 'zod';
import {
  participationsOf,
  participationTotals,
} from '../../../db/investment/participation/participation.reads';
import { figureInMajor, PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import { participationStates } from '../../../workflows/investment/participation/participation.states';
import { paging, windowOf } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { uuid } from '../../http/request/fields';
import { Participation, participationView } from './participation.view';
import { identifying } from '../../http/request/ids/identified';

const Summary = z
  .object({
    totalInvested: z.number().meta({
      description: 'Principal of all that ever ran; what moved from one into another counts once.',
    }),
    activeInvestments: z.int().meta({ description: 'Those that run.' }),
    totalReturns: z.number().meta({
      description: 'What they have earned or lost, with changes of value that providers reported.',
    }),
    pendingReturns: z.number().meta({ description: 'Interest accrued and not distributed yet.' }),
  })
  .meta({
    id: 'ParticipationSummary',
    description: 'Of all participations that fit the filter, not only those of this page.',
  });

export const listParticipations = endpoint({
  id: 'listParticipations',
  returns: 'One page of your participations, and the figures of all that fit',
  method: 'get',
  path: '/investment/participations',
  summary: 'List your participations',
  description: 'Newest first.',
  tag: 'Investment',
  auth: 'user',
  limit: perMinute(100),

  query: z.object({
    ...paging(50),
    status: z.enum([...participationStates.names, 'ALL']).default('ALL'),
    strategyId: identifying(uuid(), 'strategy').optional().describe('Only participations of this strategy.'),
  }),
  success: 200,
  paginated: true,
  data: z.object({
    participations: z.array(Participation).describe('Participations, newest first.'),
    summary: Summary.describe('The sums of the participations that fit the filter.'),
  }),
  errors: {},

  async handle({ query: { page, pageSize, status, strategyId } }, { db, caller, reply }) {
    const now = new Date();
    const filter = { status: status === 'ALL' ? undefined : status, strategyId };
    const [found, totals] = await Promise.all([
      participationsOf(db, caller.id, filter, windowOf({ page, pageSize })),
      participationTotals(db, caller.id, filter, now),
    ]);
    reply.page({ total: totals.total, page, pageSize });
    return {
      participations: found.map((row) => participationView(row, now)),
      summary: {
        totalInvested: figureInMajor(totals.investedMinor, PLATFORM_CURRENCY),
        activeInvestments: totals.active,
        totalReturns: figureInMajor(totals.returnsMinor, PLATFORM_CURRENCY),
        pendingReturns: figureInMajor(totals.pendingMinor, PLATFORM_CURRENCY),
      },
    };
  },
});
