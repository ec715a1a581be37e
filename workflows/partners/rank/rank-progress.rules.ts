import { countedGroupPoints, type LegPoints } from './counted-points.rules';

/** The requirements of a rank; points in hundredths. */
export interface RankRequirements {
  personalPoints: number;
  groupPoints: number;
  /** The number of legs with a partner of `legLevel` or higher. */
  legs: number;
}

/** A partner's standing towards a rank; points in hundredths. */
export interface RankStanding extends LegPoints {
  /** First-level partners with the required rank, at themselves or below. */
  rankedLegs: number;
}

export const REQUIREMENTS = ['PERSONAL_POINTS', 'GROUP_POINTS', 'LEGS'] as const;

/** A requirement of a rank and what is achieved of it; points in hundredths, `percentage` with two decimals up to 100. */
export interface Progress {
  name: (typeof REQUIREMENTS)[number];
  required: number;
  achieved: number;
  percentage: number;
}

/** The requirements of a rank that there are, and a partner's progress. */
export function progressTo(rank: RankRequirements, standing: RankStanding): Progress[] {
  const all = [
    { name: 'PERSONAL_POINTS' as const, required: rank.personalPoints, achieved: standing.personalPoints },
    {
      name: 'GROUP_POINTS' as const,
      required: rank.groupPoints,
      achieved: countedGroupPoints(standing, rank.groupPoints),
    },
    { name: 'LEGS' as const, required: rank.legs, achieved: standing.rankedLegs },
  ];
  return all
    .filter(({ required }) => required > 0)
    .map((one) => ({ ...one, percentage: percentageOf(one.achieved, one.required) }));
}

/** Rounded down, so that 100 is said of what is achieved only. */
const percentageOf = (achieved: number, required: number): number =>
  Math.min(10_000, Math.max(0, Math.floor((achieved * 10_000) / required))) / 100;
