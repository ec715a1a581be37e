import { coversLine, sumMinor, type CouponScope, type PricedLine } from './pricing.rules';

/** Everything that decides whether one buyer may use a coupon, beside what is in the cart. */
export interface CouponTerms extends CouponScope {
  isActive: boolean;
  startsAt: Date | null;
  /** The first moment at which it no longer applies. */
  endsAt: Date | null;
  minSubtotalMinor: number | null;
  usageLimit: number | null;
  perUserLimit: number | null;
  usedCount: number;
  /** How often this buyer has used it. */
  usesByUser: number;
}

/** Why a coupon does not apply to these goods at this moment, in words for the buyer; null when it does. */
export function whyCouponFails(coupon: CouponTerms, lines: readonly PricedLine[], at: Date): string | null {
  if (!coupon.isActive) return 'This coupon is not active.';
  if (coupon.startsAt && at < coupon.startsAt) return 'This coupon is not valid yet.';
  if (coupon.endsAt && at >= coupon.endsAt) return 'This coupon has expired.';
  if (coupon.usageLimit !== null && coupon.usedCount >= coupon.usageLimit) return 'This coupon is used up.';
  if (coupon.perUserLimit !== null && coupon.usesByUser >= coupon.perUserLimit) {
    return 'You have used this coupon as often as it may be used.';
  }
  if (!lines.some((line) => coversLine(coupon, line)))
    return 'This coupon is for none of the goods in the cart.';
  // Chosen: the minimum is of all goods before any discount, whatever the coupon's scope.
  const subtotalMinor = sumMinor(lines.map((line) => line.unitPriceMinor * line.quantity));
  if (coupon.minSubtotalMinor !== null && subtotalMinor < coupon.minSubtotalMinor) {
    return 'The goods in the cart are below the minimum of this coupon.';
  }
  return null;
}
