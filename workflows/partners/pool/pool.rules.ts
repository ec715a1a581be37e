/** The volume of a partner that counts: all legs above zero, but of the largest no more than of the others together. */
export function qualifiedVolume(legs: readonly bigint[]): bigint {
  const counted = legs.filter((leg) => leg > 0n);
  const volume = counted.reduce((sum, leg) => sum + leg, 0n);
  const largest = counted.reduce((most, leg) => (leg > most ? leg : most), 0n);
  const balanced = 2n * (volume - largest);
  return balanced < volume ? balanced : volume;
}

/** Rate (basis points) of the base, rounded half up; never below zero. */
export function poolAmount(baseMinor: bigint, rateBp: bigint): bigint {
  return baseMinor <= 0n ? 0n : (2n * baseMinor * rateBp + 10_000n) / 20_000n;
}

/** A partner who takes part. `numerator`: qualified volume times the weight of the rank. */
export interface Sharer {
  number: bigint;
  numerator: bigint;
}

/**
 * The shares of a pool, in the order given: in proportion of the numerators, rounded down, and what is left goes unit by
 * unit to the largest remainders, of equal ones to the lower number.
 */
export function sharesOf(poolMinor: bigint, sharers: readonly Sharer[]): bigint[] {
  const denominator = sharers.reduce((sum, { numerator }) => sum + numerator, 0n);
  if (denominator === 0n) return sharers.map(() => 0n);
  const parts = sharers.map(({ number, numerator }) => ({
    number,
    share: (poolMinor * numerator) / denominator,
    remainder: (poolMinor * numerator) % denominator,
  }));
  const left = poolMinor - parts.reduce((sum, { share }) => sum + share, 0n);
  const raised = new Set(
    [...parts]
      .sort((a, b) => compare(b.remainder, a.remainder) || compare(a.number, b.number))
      .slice(0, Number(left)),
  );
  return parts.map((part) => part.share + (raised.has(part) ? 1n : 0n));
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
