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
 * The goods that these refunds take back of each line, counted one after the other in this order. Units are of their line as
 * far as that goes; what is beyond them is in proportion of what is left of all lines. All refunds together never take more
 * than a line.
 */
export function takenByRefunds(lines: readonly SoldLine[], refunds: readonly SaleRefund[]): number[] {
  let left = lines.map(({ goodsMinor }) => goodsMinor);
  for (const refund of refunds) {
    const taken = takenOf(lines, left, refund);
    left = left.map((leftMinor, index) => leftMinor - (taken[index] ?? 0));
  }
  return lines.map(({ goodsMinor }, index) => goodsMinor - (left[index] ?? 0));
}

/** Money that banks have taken back for good, of all that was paid for the sale. In minor units. */
export interface ChargedBack {
  minor: number;
  ofMinor: number;
  /** The part of it by which refunds reached the buyer: those take it back themselves. */
  ofRefundsMinor: number;
}

/**
 * The sum that refunds and lost chargebacks take of a sale up to now. A chargeback takes the same part of all goods that refunds have
 * left, as it names none: so the sum is the same in whatever order they come, and a returned chargeback leaves what refunds alone
 * take. It only grows with each of them, but for a refund that a chargeback has paid: that takes its own goods instead of the
 * part that the chargeback took of all.
 */
export function takenInAll(
  whole: SaleWeights,
  byRefunds: SaleWeights,
  { minor, ofMinor, ofRefundsMinor }: ChargedBack,
): SaleWeights {
  const leftMinor = whole.baseMinor - byRefunds.baseMinor;
  // Below zero while a return is counted and the refund that its chargeback had paid is not.
  const lostMinor = Math.max(0, minor - Math.max(0, ofRefundsMinor));
  if (leftMinor === 0 || lostMinor === 0 || ofMinor === 0) return byRefunds;
  const goodsMinor = halfUp(BigInt(whole.baseMinor) * BigInt(lostMinor), BigInt(ofMinor));
  const keptMinor = leftMinor - Math.min(leftMinor, goodsMinor);
  const kept = (weight: bigint): bigint => (weight * BigInt(keptMinor)) / BigInt(leftMinor);
  return {
    baseMinor: whole.baseMinor - keptMinor,
    commissionWeight: whole.commissionWeight - kept(whole.commissionWeight - byRefunds.commissionWeight),
    pointsWeight: whole.pointsWeight - kept(whole.pointsWeight - byRefunds.pointsWeight),
  };
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

/** A commission as refunds and chargebacks take it back. */
export interface Reversible {
  status: 'PENDING' | 'HELD' | 'APPROVED' | 'PAID' | 'REVERSED';
  /** Of one that a refund or a chargeback took back as a whole, the state that it found; else null. */
  reversedFrom: 'PENDING' | 'HELD' | 'APPROVED' | null;
  grossMinor: number;
  netMinor: number;
  points: number;
  commissionWeight: bigint;
  /** True if a part was taken back of it before, also one that was restored since. */
  hasParts: boolean;
  /** The sum that was taken back before, less what was restored; not below zero. */
  backGrossMinor: number;
  backNetMinor: number;
  backPoints: number;
}

export type Reversal =
  | { kind: 'NONE' }
  /** The whole commission, which was not paid, is taken back in one step. */
  | { kind: 'REVERSED' }
  /** A commission in this state that takes back these amounts; it restores them where they are below zero here. */
  | {
      kind: 'PART';
      grossMinor: number;
      netMinor: number;
      points: number;
      status: 'PENDING' | 'HELD' | 'APPROVED';
    };

/**
 * The state to which a commission returns that was taken back as a whole, because less than all of it is taken back now; null: it
 * stays as it is.
 */
export const restoredTo = (
  {
    status,
    commissionWeight,
    reversedFrom,
  }: Pick<Reversible, 'status' | 'commissionWeight' | 'reversedFrom'>,
  weightTaken: bigint,
): Reversible['reversedFrom'] =>
  status === 'REVERSED' && weightTaken < commissionWeight ? reversedFrom : null;

/**
 * The part that an event takes back of a commission of which this weight is taken back by now; one after which less is taken back
 * restores (`restores`), any other never does. The sum up to now is rounded, not each part, so that refunds of all of it
 * take all of it, in whatever order. An adjusted commission is taken back as it stands.
 */
export function reversalOf(
  commission: Omit<Reversible, 'reversedFrom'>,
  weightTaken: bigint,
  restores = false,
): Reversal {
  const { status, grossMinor, netMinor, commissionWeight, hasParts } = commission;
  if (status === 'REVERSED' || (weightTaken === 0n && !hasParts)) return { kind: 'NONE' };
  if (weightTaken === commissionWeight && !hasParts && status !== 'PAID') return { kind: 'REVERSED' };
  const share = { weight: weightTaken, of: commissionWeight };
  const netBack = takenBack(netMinor, share) - commission.backNetMinor;
  if (netBack === 0 || netBack < 0 !== restores) return { kind: 'NONE' };
  const grossBack = takenBack(grossMinor, share) - commission.backGrossMinor;
  return {
    kind: 'PART',
    netMinor: netBack,
    // Of a commission that was adjusted upwards less may be left of the gross than of the net.
    grossMinor: grossBack !== 0 && grossBack < 0 === restores ? grossBack : netBack,
    points: takenBack(commission.points, share) - commission.backPoints,
    status: status === 'PAID' ? 'APPROVED' : status,
  };
}
