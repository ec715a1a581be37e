import { amountInWords, PLATFORM_CURRENCY, toMajor, toMinor } from '../money.rules';
import {
  coversLine,
  sumMinor,
  type CouponScope,
  type CouponValue,
  type PricedLine,
} from '../order/pricing.rules';

/** The conditions for the use of a coupon by one buyer, apart from the goods in the cart. */
export interface CouponTerms extends CouponScope {
  isActive: boolean;
  startsAt: Date | null;
  /** The first moment at which it no longer applies. */
  endsAt: Date | null;
  minSubtotalMinor: number | null;
  usageLimit: number | null;
  perUserLimit: number | null;
  usedCount: number;
  /** The number of uses by this buyer. */
  usesByUser: number;
}

/** True if a coupon can be used at `at`, whatever the goods and the buyer: by its switch, its dates and the uses left. */
export const isUsable = (coupon: UsageTerms, at: Date): boolean => whyUnusable(coupon, at) === null;

type UsageTerms = Pick<CouponTerms, 'isActive' | 'startsAt' | 'endsAt' | 'usageLimit' | 'usedCount'>;

function whyUnusable(coupon: UsageTerms, at: Date): string | null {
  if (!coupon.isActive) return 'is not active';
  if (coupon.startsAt && at < coupon.startsAt) return 'is not valid yet';
  if (coupon.endsAt && at >= coupon.endsAt) return 'has expired';
  if (coupon.usageLimit !== null && coupon.usedCount >= coupon.usageLimit) return 'is used up';
  return null;
}

/**
 * The reason, for the buyer to read after "This coupon" or its code, why a coupon does not apply to these goods at `at`;
 * null when it applies.
 */
export function whyCouponFails(coupon: CouponTerms, lines: readonly PricedLine[], at: Date): string | null {
  const unusable = whyUnusable(coupon, at);
  if (unusable !== null) return unusable;
  if (coupon.perUserLimit !== null && coupon.usesByUser >= coupon.perUserLimit) {
    return coupon.perUserLimit === 1
      ? 'was already used by you'
      : `was already used ${coupon.perUserLimit} times by you`;
  }
  if (!lines.some((line) => coversLine(coupon, line))) return 'applies to none of the products in the cart';
  // Chosen: the minimum is of all goods before any discount, whatever the coupon's scope.
  const subtotalMinor = sumMinor(lines.map((line) => line.unitPriceMinor * line.quantity));
  if (coupon.minSubtotalMinor !== null && subtotalMinor < coupon.minSubtotalMinor) {
    return `requires products worth at least ${amountInWords(coupon.minSubtotalMinor, PLATFORM_CURRENCY)}`;
  }
  return null;
}

/** A coupon's value from its written form: 12.5 percent, or an amount in major units. Null for more than 100 percent. */
export function couponValue(type: CouponValue['type'], value: number): CouponValue | null {
  if (type === 'FIXED') return { type, amountMinor: toMinor(value, PLATFORM_CURRENCY) };
  return value > 100 ? null : { type, percentageBp: Math.round(value * 100) };
}

/** The written form of a coupon's value. */
export function writtenValue(coupon: { percentageBp: number | null; amountMinor: number | null }): number {
  return coupon.percentageBp === null
    ? toMajor(coupon.amountMinor ?? 0, PLATFORM_CURRENCY)
    : coupon.percentageBp / 100;
}

/** The fields of a coupon that can contradict each other. */
interface CouponLimits {
  startsAt: Date | null;
  endsAt: Date | null;
  usageLimit: number | null;
  usedCount: number;
}

/** Contradictions between the fields, with reasons by field; empty when there are none. */
export function couponContradictions({
  startsAt,
  endsAt,
  usageLimit,
  usedCount,
}: CouponLimits): Record<string, string[]> {
  return {
    ...(startsAt && endsAt && endsAt <= startsAt && { endsAt: ['must be after startsAt'] }),
    ...(usageLimit !== null &&
      usageLimit < usedCount && { usageLimit: [`must be at least ${usedCount}, the number of uses so far`] }),
  };
}
