import { v7 } from 'uuid';
import { bookCommissions } from '../../../db/partners/commission/commission-ledger.transitions';
import {
  insertCommissions,
  lockCommissionsOf,
  markReversed,
  type NewCommission,
  type ReversibleCommission,
} from '../../../db/partners/commission/commission.transitions';
import {
  countedSale,
  insertSale,
  refundsUpTo,
  type CountedSale,
} from '../../../db/partners/commission/partner-sale.transitions';
import { uplinesFrom } from '../../../db/partners/network/upline.reads';
import type { Tx } from '../../../db/sql/query';
import {
  reversalOf,
  takenBack,
  takenByLast,
  weightsOf,
  type SaleWeights,
} from '../../../workflows/partners/commission/taking-back.rules';
import type { EventRow } from './count-event';
import { countVolume } from './count-sale';
import { earnedByPartner, type Counting } from './counting';

/** Takes back what a refund takes of a sale that is counted: its row, the commissions of it, points and volume. Ranks stay. */
export async function takeBackSale(
  tx: Tx,
  { eventId, occurredAt, orderId }: EventRow & { orderId: string },
  { at }: Counting,
): Promise<void> {
  const sale = await countedSale(tx, orderId);
  if (!sale) throw new Error(`The sale of order ${orderId} is not counted.`);
  const taken = await takenOf(tx, sale, { orderId, eventId });
  const points = pointsBack(sale, taken.pointsWeight);
  const { buyerId, partnerId, currency, programmeVersion } = sale;
  await insertSale(tx, {
    ...{ id: v7(), eventId, kind: 'REFUND', sourceId: orderId, buyerId, partnerId, currency },
    ...{ baseMinor: 0 - taken.baseMinor, points: 0 - points, programmeVersion, occurredAt, countedAt: at },
    commissionWeight: (-taken.commissionWeight).toString(),
    pointsWeight: (-taken.pointsWeight).toString(),
  });
  if (partnerId === null) return;
  const weightTaken = BigInt(sale.backCommissionWeight) + taken.commissionWeight;
  const { added, reversed } = await reverseCommissions(tx, { orderId, eventId, weightTaken, taken }, at);
  const lost = earnedByPartner([
    ...added,
    ...reversed.map((commission) => ({ ...commission, netMinor: -commission.netMinor })),
  ]);
  const uplines = await uplinesFrom(tx, partnerId);
  const back = { baseMinor: 0 - taken.baseMinor, points: 0 - points, occurredAt };
  await countVolume(tx, uplines, back, lost);
  await bookCommissions(tx, { added, reversed }, at);
}

/** Base and weights of the goods that this refund takes back. */
async function takenOf(
  tx: Tx,
  { lines }: CountedSale,
  { orderId, eventId }: { orderId: string; eventId: string },
): Promise<SaleWeights> {
  return weightsOf(lines, takenByLast(lines, await refundsUpTo(tx, orderId, eventId)));
}

/** The points that a refund takes back: those up to now are rounded as a whole, as commissions are. */
function pointsBack({ points, pointsWeight, ...back }: CountedSale, taken: bigint): number {
  const share = { weight: BigInt(back.backPointsWeight) + taken, of: BigInt(pointsWeight) };
  return takenBack(points, share) - back.backPoints;
}

interface Taking {
  orderId: string;
  eventId: string;
  weightTaken: bigint;
  taken: SaleWeights;
}

type Booked<Row> = Row & { userId: string; status: 'PENDING' | 'HELD' | 'APPROVED' };

/** Takes back of each commission what is missing to its share. Answers the negative ones, and those that are REVERSED now. */
async function reverseCommissions(
  tx: Tx,
  { orderId, eventId, weightTaken, taken }: Taking,
  at: Date,
): Promise<{ added: Booked<NewCommission>[]; reversed: Booked<ReversibleCommission>[] }> {
  const added: Booked<NewCommission>[] = [];
  const reversed: Booked<ReversibleCommission>[] = [];
  for (const commission of await lockCommissionsOf(tx, orderId)) {
    const { status } = commission;
    const reversal = reversalOf(commission, weightTaken);
    if (reversal.kind === 'REVERSED' && status !== 'PAID' && status !== 'REVERSED')
      reversed.push({ ...commission, status });
    if (reversal.kind !== 'PART') continue;
    const { grossMinor, netMinor, points } = reversal;
    added.push({
      ...negativeOf(commission, taken),
      ...{ id: v7(), eventId, reversalOf: commission.id, createdAt: at, status: reversal.status },
      ...{ grossMinor: -grossMinor, netMinor: -netMinor, points: 0 - points },
    });
  }
  await insertCommissions(tx, added);
  await markReversed(
    tx,
    reversed.map(({ id }) => id),
    at,
  );
  return { added, reversed };
}

/** The commission whose part is taken back, with the refund's base and weight instead of the sale's. */
const negativeOf = (
  commission: ReversibleCommission,
  { baseMinor, commissionWeight }: SaleWeights,
): NewCommission & { userId: string } => ({
  ...commission,
  baseMinor: 0 - baseMinor,
  commissionWeight: (-commissionWeight).toString(),
});
