import { halfUp, sumMinor } from '../order/pricing.rules';

/** What a shipping method asks for one zone, in minor units. */
export interface ShippingTariff {
  baseMinor: number;
  perKgMinor: number;
  /** Goods after discount from which shipping is free; null when it never is. */
  freeThresholdMinor: number | null;
}

export interface Parcel {
  weightGrams: number;
  /** Goods after discount, before tax. */
  goodsMinor: number;
}

/** Price of sending a parcel. Chosen: weight counts by the gram, and the price is rounded half up once. */
export function shippingPrice(tariff: ShippingTariff, parcel: Parcel): number {
  if (tariff.freeThresholdMinor !== null && parcel.goodsMinor >= tariff.freeThresholdMinor) return 0;
  const byWeightMinor = halfUp(BigInt(tariff.perKgMinor) * BigInt(parcel.weightGrams), 1000n);
  return sumMinor([tariff.baseMinor, byWeightMinor]);
}

/** Weight of all goods; what has no weight on record weighs nothing. */
export function weightOf(lines: readonly { weightGrams: number | null; quantity: number }[]): number {
  return sumMinor(lines.map((line) => (line.weightGrams ?? 0) * line.quantity));
}

/** Goods to be packed, of one kind; null is what nobody measured. */
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
 * One package for all goods. Chosen: every piece lies flat on the others, so that the package is as long and as wide
 * as the longest and the widest of them and as high as all together; what was never measured takes no room.
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
 * First and last day (ISO 8601 dates) on which goods sent at `from` may arrive.
 * Chosen: calendar days in UTC; which days a carrier works is the carrier's to know.
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
