import { amountInWords } from '../../commerce/money.rules';
import type { CommissionType } from './commission.rules';

/** The parts of a commission that its amount was computed of. */
export interface ComputedCommission {
  type: CommissionType;
  baseMinor: number;
  /** In ten-thousandths of a minor unit. */
  commissionWeight: string;
  rateBp: number;
  metRateBp: number | null;
  grossMinor: number;
  currency: string;
  /** The bonus of the rank that was reached; of a rank bonus only. */
  bonusMinor: number | null;
  /** Of a pool's share only. */
  pool: ComputedShare | null;
  /** Of what takes back, or restores, a part of another commission only. */
  back: ComputedBack | null;
}

/** The figures of a share of a pool. Numerators are qualified volume times the weight of the rank. */
export interface ComputedShare {
  poolMinor: number;
  numerator: string;
  /** The sum of all numerators. */
  denominator: string;
  /** True if the share is one of the largest remainders, among which the units left by rounding down are shared. */
  isRaised: boolean;
}

/** The figures of a part taken back. Amounts are above zero. */
export interface ComputedBack {
  /** The gross amount of the commission. */
  ofMinor: number;
  /** The commission's weight, and what refunds and lost chargebacks up to this one take of it. */
  weight: string;
  weightTaken: string;
  /** The sum that was taken back before, less what was restored. */
  beforeMinor: number;
}

const isPart = ({ grossMinor, back }: ComputedCommission): boolean => grossMinor < 0 || back !== null;

const FULL_BP = 10_000n;
const WEIGHT = 10_000n;

/** A fraction of integers, of which the divisor is above zero, rounded half up. */
export const halfUp = (dividend: bigint, divisor: bigint): bigint => {
  const doubled = 2n * dividend + divisor;
  const quotient = doubled / (2n * divisor);
  return doubled < 0n && doubled % (2n * divisor) !== 0n ? quotient - 1n : quotient;
};

/**
 * The gross amount computed anew in minor units, rounded half up once at the end, of a pool's share down; below zero of a
 * part taken back. Null of a part or a share of which the figures are not stored.
 */
export function recomputedMinor(of: ComputedCommission): number | null {
  if (isPart(of)) return of.back && -backMinor(of.back);
  if (of.type === 7) return of.pool && shareMinor(of.pool);
  if (of.type === 8) return of.bonusMinor;
  return Number(halfUp(BigInt(of.commissionWeight) * BigInt(of.rateBp), WEIGHT * FULL_BP));
}

const shareMinor = ({ poolMinor, numerator, denominator, isRaised }: ComputedShare): number =>
  Number((BigInt(poolMinor) * BigInt(numerator)) / BigInt(denominator)) + (isRaised ? 1 : 0);

const backMinor = ({ ofMinor, weight, weightTaken, beforeMinor }: ComputedBack): number =>
  Number(halfUp(BigInt(ofMinor) * BigInt(weightTaken), BigInt(weight))) - beforeMinor;

/** The part of a gross amount that is withheld, in minor units. */
export const withheldMinor = (grossMinor: number, withholdingBp: number): number =>
  Number(halfUp(BigInt(grossMinor) * BigInt(withholdingBp), FULL_BP));

const percent = (bp: number): string => `${bp / 100} %`;

/** The sum that a rate was applied to, for people: it can have more decimals than the currency. */
export const weightInMajor = (commissionWeight: string): number => Number(commissionWeight) / 1_000_000;

const NAMES: Readonly<Record<CommissionType, string>> = {
  0: 'an entrance fee in your network',
  1: "a customer's first order or an investment",
  2: 'a sale in your team',
  3: "a customer's later order",
  5: "a customer's profit",
  6: 'a profit in your network',
  7: 'a leadership pool',
  8: 'a rank that was reached',
};

/** The computation of the amount in words. */
export function explainedInWords(of: ComputedCommission): string {
  if (isPart(of) && of.grossMinor > 0)
    return 'Restores the part of another commission that a chargeback had taken back: it was returned, or it has paid a refund, which takes its own part.';
  if (isPart(of))
    return 'Takes back the part of another commission that belongs to what refunds and lost chargebacks up to this one gave back, less what was taken back before.';
  const rate =
    of.metRateBp === null
      ? percent(of.rateBp)
      : `${percent(of.rateBp + of.metRateBp)} of the rank less ${percent(of.metRateBp)} already met below`;
  switch (of.type) {
    case 7:
      return `For ${NAMES[7]}: a share by qualified volume times the weight of the rank.`;
    case 8:
      return `For ${NAMES[8]}: its bonus, paid once.`;
    case 0:
    case 5:
    case 6:
      return `For ${NAMES[of.type]}: ${rate} of ${amountInWords(of.baseMinor, of.currency)}.`;
    case 1:
    case 2:
    case 3:
      return `For ${NAMES[of.type]}: ${rate} of the commission that ${amountInWords(of.baseMinor, of.currency)} of goods or principal carry.`;
  }
}

/** The explanation in figures: `20 × (30 % − 10 %) = 4.00 USD`. */
export function explainedInFigures(of: ComputedCommission): string {
  const result = amountInWords(of.grossMinor, of.currency);
  if (isPart(of)) return backInFigures(of, result);
  if (of.type === 7) return shareInFigures(of, result);
  if (of.type === 8) return `bonus = ${result}`;
  const rate =
    of.metRateBp === null
      ? percent(of.rateBp)
      : `(${percent(of.rateBp + of.metRateBp)} − ${percent(of.metRateBp)})`;
  return `${weightInMajor(of.commissionWeight)} × ${rate} = ${result}`;
}

/** `100.00 USD × 4000 ÷ 12000 + 0.01 USD = 33.34 USD`: one unit more for a large remainder. */
function shareInFigures({ pool, baseMinor, currency }: ComputedCommission, result: string): string {
  if (!pool) return `a share of ${amountInWords(baseMinor, currency)} = ${result}`;
  const unit = pool.isRaised ? ` + ${amountInWords(1, currency)}` : '';
  return `${amountInWords(pool.poolMinor, currency)} × ${pool.numerator} ÷ ${pool.denominator}${unit} = ${result}`;
}

/** `−(10.00 USD × 8 ÷ 20 − 1.00 USD) = −3.00 USD` */
function backInFigures({ back, currency }: ComputedCommission, result: string): string {
  if (!back) return `a part of another commission = ${result}`;
  const { ofMinor, weight, weightTaken, beforeMinor } = back;
  const share = `${amountInWords(ofMinor, currency)} × ${weightInMajor(weightTaken)} ÷ ${weightInMajor(weight)}`;
  return `−(${share} − ${amountInWords(beforeMinor, currency)}) = ${result}`;
}
