import { v7 } from 'uuid';
import { bookCommissions } from '../../../db/partners/commission/commission-ledger.transitions';
import {
  countedSale,
  insertSale,
  refundsUpTo,
  type CountedSale,
  type TakingBackKind,
} from '../../../db/partners/commission/partner-sale.transitions';
import { uplinesFrom } from '../../../db/partners/network/upline.reads';
import { programmeAt } from '../../../db/partners/programme/programme.reads';
import type { Tx } from '../../../db/sql/query';
import {
  takenBack,
  takenByRefunds,
  takenInAll,
  weightsOf,
  type SaleWeights,
} from '../../../workflows/partners/commission/taking-back.rules';
import { raiseRanks } from '../rank/raise-ranks';
import type { EventRow } from './count-event';
import { countVolume } from './count-sale';
import type { Counting } from '../counting/counting';
import { reverseCommissions } from './reverse-commissions';

/** An event that takes back a part of a sale, or restores one. `entityId`: the order or the participation. */
export interface TakingBack extends EventRow {
  kind: TakingBackKind;
  entityId: string;
}

/**
 * Takes back what a refund or a lost chargeback takes of a sale that is counted: its row, the commissions of it, points and
 * volume. Ranks stay. A chargeback that was returned restores what it took, a refund that one has paid what that took beyond it,
 * and ranks may rise by both.
 */
export async function takeBackSale(tx: Tx, event: TakingBack, counting: Counting): Promise<void> {
  const { kind, entityId, eventId, occurredAt } = event;
  const sale = await countedSale(tx, entityId, eventId);
  if (!sale) throw new Error(`The sale of ${entityId} is not counted.`);
  const { taken, inAll, points } = await takenOf(tx, sale, event);
  const { sourceId, buyerId, partnerId, currency, programmeVersion } = sale;
  await insertSale(tx, {
    ...{ id: v7(), eventId, kind, sourceId, buyerId, partnerId, currency, programmeVersion },
    ...{ baseMinor: 0 - taken.baseMinor, points: 0 - points, occurredAt, countedAt: counting.at },
    commissionWeight: (-taken.commissionWeight).toString(),
    pointsWeight: (-taken.pointsWeight).toString(),
  });
  if (partnerId === null) return;
  // A refund that a chargeback has paid may take less than the chargeback, counted before, took of all goods.
  const restores = kind === 'RETURN' || taken.commissionWeight < 0n;
  const taking = { sourceId, eventId, weightTaken: inAll.commissionWeight, taken, restores };
  const { bookings, earnedBy } = await reverseCommissions(tx, taking, counting.at);
  const uplines = await uplinesFrom(tx, partnerId);
  const back = { baseMinor: 0 - taken.baseMinor, points: 0 - points, occurredAt };
  await countVolume(tx, uplines, back, earnedBy);
  const raised =
    kind === 'RETURN' || points < 0
      ? await raiseRanks(
          tx,
          uplines,
          { eventId, occurredAt, programme: await programmeAt(tx, occurredAt) },
          counting,
        )
      : [];
  await bookCommissions(tx, { ...bookings, added: [...bookings.added, ...raised] }, counting.at);
}

/** The sum that all events up to this one take back of a sale, and the part of this event: the rest to that. */
async function takenOf(
  tx: Tx,
  sale: CountedSale,
  { entityId, eventId }: TakingBack,
): Promise<{ taken: SaleWeights; inAll: SaleWeights; points: number }> {
  const { lines, baseMinor, paidMinor, chargedBackMinor } = sale;
  const refunds = lines.length === 0 ? [] : await refundsUpTo(tx, entityId, eventId);
  const whole = {
    baseMinor,
    commissionWeight: BigInt(sale.commissionWeight),
    pointsWeight: BigInt(sale.pointsWeight),
  };
  const inAll = takenInAll(whole, weightsOf(lines, takenByRefunds(lines, refunds)), {
    ...{ minor: chargedBackMinor, ofMinor: paidMinor, ofRefundsMinor: sale.refundsChargedBackMinor },
  });
  const taken = {
    baseMinor: inAll.baseMinor - sale.backBaseMinor,
    commissionWeight: inAll.commissionWeight - BigInt(sale.backCommissionWeight),
    pointsWeight: inAll.pointsWeight - BigInt(sale.backPointsWeight),
  };
  // Those up to now are rounded as a whole, as commissions are.
  const pointsInAll = takenBack(sale.points, { weight: inAll.pointsWeight, of: whole.pointsWeight });
  return { taken, inAll, points: pointsInAll - sale.backPoints };
}
