import { z } from 'zod';
import { ranksInForce, standingOf } from '../../../db/partners/rank/rank-progress.reads';
import { PLATFORM_CURRENCY, toMajor } from '../../../workflows/commerce/money.rules';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { pointsOf } from '../commissions/commission.view';
import { ownPartner } from '../own-partner';
import { rankAt, RankView, rankView } from './rank.view';

const PERCENT = 100;

const CurrentRank = z
  .object({
    rank: RankView.describe('The rank in the partner programme.'),
    since: z.iso.datetime().meta({ description: 'Since when you have this rank.' }),
    highestRank: z
      .object({ ...RankView.shape, achievedAt: z.iso.datetime().describe('When it was reached.') })
      .describe('The highest rank that you had.'),
    limitedTo: RankView.nullable().meta({
      description: 'The rank up to which points raise you, if an administrator has set a limit; else null.',
    }),
    personalPoints: z.number().meta({ description: 'Points of sales to your own customers.' }),
    groupPoints: z.number().meta({ description: 'Points of you and all below.' }),
    benefits: z
      .object({
        teamRate: z.number().meta({ description: 'The differential rate of sales, in percent.' }),
        profitRate: z.number().meta({ description: 'The differential rate of profits, in percent.' }),
        poolWeight: z.int().meta({ description: 'The weight in leadership pools; 0 takes no part.' }),
        bonus: z.number().meta({ description: 'Paid once when the rank is reached by points.' }),
      })
      .describe('What the rank brings.'),
  })
  .meta({ id: 'CurrentRank' });

export const showCurrentRank = endpoint({
  id: 'getCurrentRank',
  returns: 'Your rank',
  method: 'get',
  path: '/mlm/ranks/current',
  summary: 'Show your rank',
  description: 'Your rank, the highest that you had, your points, and what the rank brings.',
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  success: 200,
  data: CurrentRank,
  errors: { NOT_A_PARTNER: 403 },

  async handle(_, context) {
    const { id: partnerId } = await ownPartner(context);
    const [ranks, standing] = await Promise.all([
      ranksInForce(context.db, new Date()),
      standingOf(context.db, partnerId),
    ]);
    if (!standing) throw refusal('NOT_A_PARTNER');
    const rank = rankAt(ranks, standing.rankLevel);
    return {
      rank: rankView(rank),
      since: standing.rankSince.toISOString(),
      highestRank: {
        ...rankView(rankAt(ranks, standing.highestRankLevel)),
        achievedAt: standing.highestRankAt.toISOString(),
      },
      limitedTo: standing.rankLimit === null ? null : rankView(rankAt(ranks, standing.rankLimit)),
      personalPoints: pointsOf(standing.personalPoints),
      groupPoints: pointsOf(standing.groupPoints),
      benefits: {
        teamRate: rank.teamRateBp / PERCENT,
        profitRate: rank.profitRateBp / PERCENT,
        poolWeight: rank.poolWeight,
        bonus: toMajor(rank.bonusMinor, PLATFORM_CURRENCY),
      },
    };
  },
});
