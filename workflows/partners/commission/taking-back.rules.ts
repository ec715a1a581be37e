import { halfUp, largestRemainder, sumMinor } from '../../commerce/order/pricing.rules';

/** One line of an order: its goods after discount, and the rates that they earn at. */
export interface SoldLine {
  id: string;
  goodsMinor: number;
  commissionBp: number;
  careerPointsBp: number;
}

/** A refund of an order: the goods that it takes back, and the goods of the units that were given back, by line. */
export interface SaleRefund {
  goodsMinor: number;
  parts: readonly { lineId: string; goodsMinor: number }[];
}

/** Base and weights of a sale, or of a part of one. */
export interface SaleWeights {
  baseMinor: number;
  commissionWeight: bigint;
  pointsWeight: bigint;
}

/** Base and weights of the goods of each line. `goodsMinor` by the position of the line. */
export function weightsOf(
  lines: readonly Omit<SoldLine, 'id'>[],
  goodsMinor: readonly number[] = lines.map((line) => line.goodsMinor),
): SaleWeights {
  let [commissionWeight, pointsWeight] = [0n, 0n];
  lines.forEach(({ commissionBp, careerPointsBp }, index) => {
    const goods = BigInt(goodsMinor[index] ?? 0);
    commissionWeight += goods * BigInt(commissionBp);
    pointsWeight += goods * BigInt(careerPointsBp);
  });
  return { baseMinor: sumMinor([...goodsMinor]), commissionWeight, pointsWeight };
}

/** Points of a weight, in hundredths of a point. */
export const pointsOf = (pointsWeight: bigint): number => halfUp(pointsWeight, 10_000n);

/**
 * The goods that the last of these refunds takes back of each line; those before it, in the order in which they were
 * counted, leave it the rest. Units are of their line as far as that goes; what is beyond them is in proportion of what is
 * left of all lines. All refunds together never take more than a line.
 */
export function takenByLast(lines: readonly SoldLine[], refunds: readonly SaleRefund[]): number[] {
  let left = lines.map(({ goodsMinor }) => goodsMinor);
  let taken = left.map(() => 0);
  for (const refund of refunds) {
    taken = takenOf(lines, left, refund);
    const now = taken;
    left = left.map((leftMinor, index) => leftMinor - (now[index] ?? 0));
  }
  return taken;
}

function takenOf(
  lines: readonly SoldLine[],
  left: readonly number[],
  { goodsMinor, parts }: SaleRefund,
): number[] {
  const wantedMinor = Math.min(goodsMinor, sumMinor([...left]));
  const ofUnits = lines.map(({ id }, index) =>
    Math.min(
      left[index] ?? 0,
      sumMinor(parts.filter(({ lineId }) => lineId === id).map((part) => part.goodsMinor)),
    ),
  );
  const unitsMinor = sumMinor(ofUnits);
  if (unitsMinor >= wantedMinor) return largestRemainder(wantedMinor, ofUnits);
  const rest = left.map((leftMinor, index) => leftMinor - (ofUnits[index] ?? 0));
  const shared = largestRemainder(wantedMinor - unitsMinor, rest);
  return ofUnits.map((goods, index) => goods + (shared[index] ?? 0));
}

/** The part of an amount that is taken back with a part of its weight, rounded half up. */
export const takenBack = (amount: number, { weight, of }: { weight: bigint; of: bigint }): number =>
  of === 0n ? 0 : halfUp(BigInt(amount) * weight, of);

/** A commission as refunds take it back. */
export interface Reversible {
  status: 'PENDING' | 'HELD' | 'APPROVED' | 'PAID' | 'REVERSED';
  grossMinor: number;
  netMinor: number;
  points: number;
  commissionWeight: bigint;
  /** The sum that refunds have taken back before, above zero. */
  backGrossMinor: number;
  backNetMinor: number;
  backPoints: number;
}

export type Reversal =
  | { kind: 'NONE' }
  /** The whole commission, which was not paid, is taken back in one step. */
  | { kind: 'REVERSED' }
  /** A negative commission of these amounts, which are above zero here, in this state. */
  | {
      kind: 'PART';
      grossMinor: number;
      netMinor: number;
      points: number;
      status: 'PENDING' | 'HELD' | 'APPROVED';
    };

/**
 * The part that a refund takes back of a commission of which this weight is taken back by now. The sum up to now is rounded, not each
 * part, so that refunds of all of it take all of it, in whatever order. An adjusted commission is taken back as it stands.
 */
export function reversalOf(commission: Reversible, weightTaken: bigint): Reversal {
  const { status, grossMinor, netMinor, commissionWeight } = commission;
  if (status === 'REVERSED' || weightTaken === 0n) return { kind: 'NONE' };
  const isUntouched = commission.backNetMinor === 0 && commission.backGrossMinor === 0;
  if (weightTaken === commissionWeight && isUntouched && status !== 'PAID') return { kind: 'REVERSED' };
  const share = { weight: weightTaken, of: commissionWeight };
  const netBack = takenBack(netMinor, share) - commission.backNetMinor;
  if (netBack <= 0) return { kind: 'NONE' };
  const grossBack = takenBack(grossMinor, share) - commission.backGrossMinor;
  return {
    kind: 'PART',
    netMinor: netBack,
    // Of a commission that was adjusted upwards less may be left of the gross than of the net.
    grossMinor: grossBack > 0 ? grossBack : netBack,
    points: takenBack(commission.points, share) - commission.backPoints,
    status: status === 'PAID' ? 'APPROVED' : status,
  };
}
