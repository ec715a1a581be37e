/** The discount of a coupon: a share of the goods it covers, in basis points, or an amount in minor units. */
export type CouponValue =
  { type: 'PERCENTAGE'; percentageBp: number } | { type: 'FIXED'; amountMinor: number };

/** The goods that a coupon covers: those that a list names; all goods when both lists are empty. */
export interface CouponScope {
  productIds: readonly string[];
  categoryIds: readonly string[];
}

export type PricedCoupon = CouponValue & CouponScope & { code: string };

export interface PricedLine {
  productId: string;
  /** The product's category and all its ancestors. */
  categoryIds: readonly string[];
  unitPriceMinor: number;
  quantity: number;
}

export interface PriceInput {
  lines: readonly PricedLine[];
  /** The coupons that apply, in the order in which the buyer added them. */
  coupons: readonly PricedCoupon[];
  taxRateBp: number;
  /** Null while no shipping method is chosen. */
  shippingMinor: number | null;
}

/** A price whose parts always add up: lines to sums, coupons to the discount, line and shipping taxes to the tax. */
export interface OrderPrice {
  /** In the order of the input; `totalMinor` is before discount and tax. */
  lines: { totalMinor: number; discountMinor: number; taxMinor: number }[];
  subtotalMinor: number;
  discountMinor: number;
  shippingMinor: number | null;
  /** The part of `taxMinor` that is for shipping. */
  shippingTaxMinor: number;
  taxMinor: number;
  totalMinor: number;
  /** In the order of the input. */
  coupons: { code: string; discountMinor: number }[];
}

/**
 * The price of an order. Percentages are deducted first, then fixed amounts, each kind in the order of the input. Tax is
 * on goods after discount and on shipping, rounded half up once. Throws RangeError for amounts beyond safe integers.
 */
export function priceOrder({ lines, coupons, taxRateBp, shippingMinor }: PriceInput): OrderPrice {
  const totals = lines.map((line) => exact(BigInt(line.unitPriceMinor) * BigInt(line.quantity)));
  const { remaining, discounts } = deductCoupons(lines, totals, coupons);
  const subtotalMinor = sumMinor(totals);
  const goodsMinor = sumMinor(remaining);
  const taxable = [...remaining, shippingMinor ?? 0];
  const taxMinor = shareOf(sumMinor(taxable), taxRateBp);
  const taxes = largestRemainder(taxMinor, taxable);
  return {
    lines: totals.map((totalMinor, line) => ({
      totalMinor,
      discountMinor: totalMinor - at(remaining, line),
      taxMinor: at(taxes, line),
    })),
    subtotalMinor,
    discountMinor: subtotalMinor - goodsMinor,
    shippingMinor,
    shippingTaxMinor: at(taxes, lines.length),
    taxMinor,
    totalMinor: sumMinor([goodsMinor, shippingMinor ?? 0, taxMinor]),
    coupons: coupons.map(({ code }, coupon) => ({ code, discountMinor: at(discounts, coupon) })),
  };
}

/** True when a coupon covers the product of a line. */
export function coversLine(scope: CouponScope, line: Pick<PricedLine, 'productId' | 'categoryIds'>): boolean {
  if (scope.productIds.length === 0 && scope.categoryIds.length === 0) return true;
  return (
    scope.productIds.includes(line.productId) || line.categoryIds.some((id) => scope.categoryIds.includes(id))
  );
}

/**
 * Divides a total in proportion to weights into integers (largest remainder method): each part is rounded down, and the
 * rest goes one by one to the largest remainders, ties to the earlier. No part exceeds its weight while the total does
 * not exceed their sum. Total and weights are integers from 0; throws RangeError for a total above 0 without weights.
 */
export function largestRemainder(total: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (whole === 0n) {
    if (total !== 0) throw new RangeError(`Nothing to share ${total} by.`);
    return weights.map(() => 0);
  }
  const shares = weights.map((weight, index) => {
    const product = BigInt(total) * BigInt(weight);
    return { index, part: product / whole, remainder: product % whole };
  });
  const parts = shares.map(({ part }) => exact(part));
  const left = total - sumMinor(parts);
  const byRemainder = shares.sort(
    (a, b) => Number(b.remainder > a.remainder) - Number(b.remainder < a.remainder),
  );
  for (const { index } of byRemainder.slice(0, left)) parts[index] = at(parts, index) + 1;
  return parts;
}

/** `basisPoints` of an amount, rounded half up: 1250 of 999 is 125. */
export function shareOf(amountMinor: number, basisPoints: number): number {
  return halfUp(BigInt(amountMinor) * BigInt(basisPoints), 10_000n);
}

/** A quotient of integers from 0, rounded half up. */
export function halfUp(numerator: bigint, denominator: bigint): number {
  return exact((2n * numerator + denominator) / (2n * denominator));
}

/** The exact sum of amounts; throws RangeError beyond safe integers. */
export function sumMinor(amounts: readonly number[]): number {
  return exact(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n));
}

function deductCoupons(
  lines: readonly PricedLine[],
  totals: readonly number[],
  coupons: readonly PricedCoupon[],
): { remaining: number[]; discounts: number[] } {
  const remaining = [...totals];
  const discounts = coupons.map(() => 0);
  for (const kind of ['PERCENTAGE', 'FIXED'] as const) {
    coupons.forEach((coupon, position) => {
      if (coupon.type !== kind) return;
      const covered = lines.map((line, index) => (coversLine(coupon, line) ? at(remaining, index) : 0));
      const discountMinor = discountOn(sumMinor(covered), coupon);
      discounts[position] = discountMinor;
      largestRemainder(discountMinor, covered).forEach((part, line) => {
        remaining[line] = at(remaining, line) - part;
      });
    });
  }
  return { remaining, discounts };
}

/** Chosen: a percentage is of the price after earlier coupons, so that two of 60 % never make goods free. */
function discountOn(coveredMinor: number, coupon: CouponValue): number {
  if (coupon.type === 'FIXED') return Math.min(coupon.amountMinor, coveredMinor);
  return shareOf(coveredMinor, coupon.percentageBp);
}

function exact(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is beyond exact numbers.`);
  return number;
}

function at(values: readonly number[], index: number): number {
  const value = values[index];
  if (value === undefined) throw new RangeError(`No value at ${index}.`);
  return value;
}
