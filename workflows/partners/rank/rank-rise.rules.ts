import type { PartnerStatus } from '../membership/partner.states';
import { countedGroupPoints, type LegPoints } from './counted-points.rules';

/** The requirements of a rank. Points are hundredths of a point. */
export interface RankRequirement {
  level: number;
  personalPoints: number;
  groupPoints: number;
  legs: number;
  legLevel: number | null;
}

/** A partner on the way up, as the ranks depend on it. */
export interface RankCandidate extends LegPoints {
  partnerId: string;
  status: PartnerStatus;
  rankLevel: number;
  /** No rank above it is reached by points. */
  rankLimit: number | null;
  networkRankLevel: number;
  /** By a rank's level: the first-level partners with a partner of its leg level, counted up to its number of legs. */
  legs: Readonly<Record<string, number>>;
}

export interface RankRise {
  partnerId: string;
  /** The rank before. */
  from: number;
  /** The ranks that were reached, one after the other; empty if only the network's rank has risen. */
  reached: number[];
  rankLevel: number;
  networkRankLevel: number;
}

/**
 * The rises along a way up, which begins with the lowest partner: each partner rises level by level, and what it reaches
 * counts for the legs of those above.
 */
export function rankRises(
  candidates: readonly RankCandidate[],
  ranks: readonly RankRequirement[],
): RankRise[] {
  const byLevel = [...ranks].sort((a, b) => a.level - b.level);
  let below: { before: number; after: number } | null = null;
  return candidates.flatMap((candidate) => {
    const reached = reachedBy(candidate, byLevel, below);
    const rankLevel = reached.at(-1) ?? candidate.rankLevel;
    const before = candidate.networkRankLevel;
    const after = Math.max(before, rankLevel, below?.after ?? 1);
    below = { before, after };
    if (reached.length === 0 && after === before) return [];
    return [
      {
        partnerId: candidate.partnerId,
        from: candidate.rankLevel,
        reached,
        rankLevel,
        networkRankLevel: after,
      },
    ];
  });
}

function reachedBy(
  candidate: RankCandidate,
  ranks: readonly RankRequirement[],
  below: { before: number; after: number } | null,
): number[] {
  if (candidate.status !== 'ACTIVE') return [];
  const limit = candidate.rankLimit ?? Number.POSITIVE_INFINITY;
  const reached: number[] = [];
  for (const rank of ranks) {
    if (rank.level <= candidate.rankLevel) continue;
    if (rank.level > limit || !meets(candidate, rank, below)) break;
    reached.push(rank.level);
  }
  return reached;
}

function meets(
  candidate: RankCandidate,
  rank: RankRequirement,
  below: { before: number; after: number } | null,
): boolean {
  const { legLevel } = rank;
  const isNewLeg = legLevel !== null && below !== null && below.before < legLevel && below.after >= legLevel;
  const legs = (candidate.legs[rank.level] ?? 0) + (isNewLeg ? 1 : 0);
  return (
    candidate.personalPoints >= rank.personalPoints &&
    countedGroupPoints(candidate, rank.groupPoints) >= rank.groupPoints &&
    legs >= rank.legs
  );
}
