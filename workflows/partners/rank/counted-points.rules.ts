/** The points that rank requirements look at, in hundredths. */
export interface LegPoints {
  /** Of the own customers, who are a leg too. */
  personalPoints: number;
  /** Of the partner and all below. */
  groupPoints: number;
  /** Of the first-level partner with the most, with all below. */
  largestLegPoints: number;
}

/**
 * The group points that count for a rank: the largest leg counts for at most half of what is required. Points are integers,
 * so that they suffice for an odd requirement by the half rounded down exactly if they do by the exact half.
 */
export function countedGroupPoints(
  { personalPoints, groupPoints, largestLegPoints }: LegPoints,
  requiredPoints: number,
): number {
  const largest = Math.max(0, personalPoints, largestLegPoints);
  return groupPoints - largest + Math.min(largest, Math.floor(requiredPoints / 2));
}
