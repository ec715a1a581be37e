import { z } from 'zod';
import type { Rank } from '../../../db/partners/rank/rank-progress.reads';

export const RankView = z
  .object({
    level: z.int().describe('The place of the rank, from 1.'),
    code: z.string().meta({ description: 'The short name of the rank, such as LEADER.', example: 'BUILDER' }),
    name: z.string(),
  })
  .meta({ id: 'PartnerRank', description: 'A rank of the programme; a higher one has a higher level.' });

/** The rank of a level; the lowest where the version in force has no such level. */
export function rankAt(ranks: readonly Rank[], level: number): Rank {
  const rank = ranks.findLast((one) => one.level <= level) ?? ranks[0];
  if (!rank) throw new Error('No version of the partner programme is in force.');
  return rank;
}

export const rankView = ({ level, code, name }: Pick<Rank, 'level' | 'code' | 'name'>) => ({
  level,
  code,
  name,
});
