import { largestRemainder } from '../../commerce/order/pricing.rules';

const WHOLE_IN_HUNDREDTHS = 10_000;

/** A rate as a percentage with two decimals, half up (away from zero): 0.12345 is 12.35. No number is 0. */
export function percentage(rate: number): number {
  if (!Number.isFinite(rate)) return 0;
  // The decimal form of the product, so that 1.005 % is rounded as people write it.
  const hundredths = Math.round(Number((Math.abs(rate) * WHOLE_IN_HUNDREDTHS).toPrecision(15)));
  return hundredths === 0 ? 0 : (Math.sign(rate) * hundredths) / 100;
}

/** The ratio of amounts as a percentage; 0 where the whole is not above zero. */
export const percentageOf = (partMinor: number, wholeMinor: number): number =>
  wholeMinor > 0 ? percentage(partMinor / wholeMinor) : 0;

/**
 * The shares of amounts from 0 in their sum, as percentages with two decimals that add up to exactly 100.00; all 0 where
 * there is nothing. Source: largest remainder method (Hare quota).
 */
export function allocation(amountsMinor: readonly number[]): number[] {
  if (amountsMinor.every((amount) => amount === 0)) return amountsMinor.map(() => 0);
  return largestRemainder(WHOLE_IN_HUNDREDTHS, amountsMinor).map((hundredths) => hundredths / 100);
}
