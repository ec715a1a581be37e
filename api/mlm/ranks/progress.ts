import { z } from 'zod';
import { rankedLegs, ranksInForce, standingOf } from '../../../db/partners/rank/rank-progress.reads';
import { refusal } from '../../../workflows/errors';
import {
  progressTo,
  REQUIREMENTS,
  type Progress,
} from '../../../workflows/partners/rank/rank-progress.rules';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { pointsOf } from '../commissions/commission.view';
import { ownPartner } from '../own-partner';
import { rankAt, RankView, rankView } from './rank.view';

const RankProgress = z
  .object({
    current: RankView,
    next: RankView.nullable().meta({ description: 'The next rank; null at the highest.' }),
    requirements: z
      .array(
        z.object({
          name: z.enum(REQUIREMENTS).meta({
            description:
              'PERSONAL_POINTS: points of sales to your own customers. GROUP_POINTS: points of you and all below, of which the largest leg counts for at most half of what is required. LEGS: first-level partners in whose network somebody has `legRank`.',
          }),
          required: z.number().describe('What the next rank needs.'),
          achieved: z.number().describe('What you have of it.'),
          percentage: z.number().meta({ description: 'At most 100.', example: 62.5 }),
          legRank: RankView.nullable().meta({ description: 'Of LEGS; else null.' }),
        }),
      )
      .meta({ description: 'Of the next rank.' }),
  })
  .meta({ id: 'RankProgress' });

export const showRankProgress = endpoint({
  id: 'getRankProgress',
  returns: 'The next rank and its requirements',
  method: 'get',
  path: '/mlm/ranks/progress',
  summary: 'Show what is missing to your next rank',
  description: 'Each requirement of the next rank with what you have achieved of it.',
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  success: 200,
  data: RankProgress,
  errors: { NOT_A_PARTNER: 403 },

  async handle(_, context) {
    const { db } = context;
    const { id: partnerId } = await ownPartner(context);
    const [ranks, standing] = await Promise.all([ranksInForce(db, new Date()), standingOf(db, partnerId)]);
    if (!standing) throw refusal('NOT_A_PARTNER');
    const current = rankAt(ranks, standing.rankLevel);
    const next = ranks.find(({ level }) => level > current.level) ?? null;
    if (!next) return { current: rankView(current), next, requirements: [] };
    const { legLevel } = next;
    const legs = legLevel === null ? 0 : await rankedLegs(db, partnerId, legLevel);
    const legRank = legLevel === null ? null : rankView(rankAt(ranks, legLevel));
    return {
      current: rankView(current),
      next: rankView(next),
      requirements: progressTo(next, { ...standing, rankedLegs: legs }).map((one) => ({
        ...inPoints(one),
        legRank: one.name === 'LEGS' ? legRank : null,
      })),
    };
  },
});

/** Points are stored in hundredths; legs are counted. */
const inPoints = (progress: Progress): Progress =>
  progress.name === 'LEGS'
    ? progress
    : { ...progress, required: pointsOf(progress.required), achieved: pointsOf(progress.achieved) };
