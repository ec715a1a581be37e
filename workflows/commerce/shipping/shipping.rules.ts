import { halfUp, sumMinor } from '../order/pricing.rules';

/** The price of a shipping method for one zone, in minor units. */
export interface ShippingTariff {
  baseMinor: number;
  perKgMinor: number;
  /** The value of goods after discount from which shipping is free; null: never. */
  freeThresholdMinor: number | null;
}

export interface Parcel {
  weightGrams: number;
  /** The value of the goods after discount, before tax. */
  goodsMinor: number;
}

/** The price of a parcel. Chosen: the price is per gram, rounded half up once. */
export function shippingPrice(tariff: ShippingTariff, parcel: Parcel): number {
  if (tariff.freeThresholdMinor !== null && parcel.goodsMinor >= tariff.freeThresholdMinor) return 0;
  const byWeightMinor = halfUp(BigInt(tariff.perKgMinor) * BigInt(parcel.weightGrams), 1000n);
  return sumMinor([tariff.baseMinor, byWeightMinor]);
}

/** The weight of all goods; goods without a recorded weight count as 0. */
export function weightOf(lines: readonly { weightGrams: number | null; quantity: number }[]): number {
  return sumMinor(lines.map((line) => (line.weightGrams ?? 0) * line.quantity));
}

/** Units of one product to be packed; null: not measured. */
export interface Goods {
  weightGrams: number | null;
  lengthMm: number | null;
  widthMm: number | null;
  heightMm: number | null;
  quantity: number;
}

interface Package {
  weightGrams: number;
  lengthMm: number;
  widthMm: number;
  heightMm: number;
}

/**
 * One package for all goods. Chosen: units are stacked, so the package has the length and width of the largest ones and
 * the height of all together; unmeasured dimensions count as 0.
 */
export function packed(goods: readonly Goods[]): Package {
  return {
    weightGrams: weightOf(goods),
    lengthMm: Math.max(0, ...goods.map(({ lengthMm }) => lengthMm ?? 0)),
    widthMm: Math.max(0, ...goods.map(({ widthMm }) => widthMm ?? 0)),
    heightMm: sumMinor(goods.map(({ heightMm, quantity }) => (heightMm ?? 0) * quantity)),
  };
}

/**
 * The first and last day (ISO 8601 dates) on which goods sent at `from` may arrive.
 * Chosen: calendar days in UTC, since carriers' working days are not known.
 */
export function deliveryDays(
  from: Date,
  days: { minDays: number; maxDays: number },
): { min: string; max: string } {
  return { min: dayAfter(from, days.minDays), max: dayAfter(from, days.maxDays) };
}

function dayAfter(from: Date, days: number): string {
  return new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate() + days))
    .toISOString()
    .slice(0, 10);
}
