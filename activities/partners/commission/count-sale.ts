import { v7 } from 'uuid';
import { bookCommissions } from '../../../db/partners/commission/commission-ledger.transitions';
import { insertSale } from '../../../db/partners/commission/partner-sale.transitions';
import { keepFirstOrder } from '../../../db/partners/link/referral-touch.writes';
import {
  changeLevels,
  changeMonths,
  changeStandings,
  type StandingChange,
} from '../../../db/partners/membership/standing.transitions';
import type { PlacedUpline } from '../../../db/partners/network/upline.reads';
import { lockUplines } from '../../../db/partners/network/upline.transitions';
import { programmeAt } from '../../../db/partners/programme/programme.reads';
import type { Tx } from '../../../db/sql/query';
import { saleCommissions } from '../../../workflows/partners/commission/earning.rules';
import { pointsOf, type SaleWeights } from '../../../workflows/partners/commission/taking-back.rules';
import { raiseRanks } from '../rank/raise-ranks';
import { addCommissions, earnedByPartner, termsOf, type Counting } from '../counting/counting';

/** A sale as an event announces it. */
export interface Sale extends SaleWeights {
  eventId: string;
  occurredAt: Date;
  kind: 'ORDER' | 'INVESTMENT';
  sourceId: string;
  buyerId: string;
  /** The partner that has referred the buyer. */
  sponsorId: string | null;
  currency: string;
  isRepeat: boolean;
}

/**
 * Counts a sale: its row, the conversion of an order's buyer, its commissions with their bookings, all that is counted of those above,
 * and their ranks.
 */
export async function countSale(tx: Tx, sale: Sale, counting: Counting): Promise<void> {
  const { eventId, occurredAt, kind, sourceId, buyerId, currency, baseMinor, commissionWeight } = sale;
  const programme = await programmeAt(tx, occurredAt);
  const uplines = await placedUplines(tx, sale.sponsorId);
  const sponsorId = uplines[0]?.partnerId ?? null;
  const points = pointsOf(sale.pointsWeight);
  await insertSale(tx, {
    ...{ id: v7(), eventId, kind, sourceId, buyerId, partnerId: sponsorId, baseMinor, points, currency },
    commissionWeight: commissionWeight.toString(),
    pointsWeight: sale.pointsWeight.toString(),
    ...{ programmeVersion: programme.version, occurredAt, countedAt: counting.at },
  });
  if (kind === 'ORDER') await keepFirstOrder(tx, buyerId, occurredAt);
  if (sponsorId === null) return;
  const earned = saleCommissions(termsOf(programme), uplines, {
    ...{ sourceType: kind, weight: commissionWeight, isRepeat: sale.isRepeat },
  });
  const origin = { eventId, occurredAt, sourceId, buyerId, sourcePartnerId: sponsorId, currency };
  const added = await addCommissions(
    tx,
    earned,
    { programme, uplines },
    { ...origin, ...{ baseMinor, commissionWeight, points } },
    counting,
  );
  const earnedBy = earnedByPartner(added);
  await countVolume(tx, uplines, { baseMinor, points, occurredAt }, earnedBy);
  const bonuses = await raiseRanks(tx, uplines, { eventId, occurredAt, programme }, counting);
  await bookCommissions(tx, { added: [...added, ...bonuses] }, counting.at);
}

/** The sponsor of a sale, who is the nearest ACTIVE partner, and all above, whatever their status; all are locked. */
async function placedUplines(tx: Tx, sponsorId: string | null): Promise<PlacedUpline[]> {
  const uplines = sponsorId === null ? [] : await lockUplines(tx, sponsorId);
  const first = uplines.findIndex(({ status }) => status === 'ACTIVE');
  return first === -1 ? [] : uplines.slice(first);
}

/** Adds a sale, or takes a part of it back, in all that is counted of its sponsor and those above. */
export async function countVolume(
  tx: Tx,
  uplines: readonly Pick<PlacedUpline, 'partnerId'>[],
  { baseMinor, points, occurredAt }: { baseMinor: number; points: number; occurredAt: Date },
  earnedBy: ReadonlyMap<string, number>,
): Promise<void> {
  const changes = uplines.map(({ partnerId }, index): StandingChange => ({
    partnerId,
    personalPoints: index === 0 ? points : 0,
    groupPoints: points,
    personalVolumeMinor: index === 0 ? baseMinor : 0,
    groupVolumeMinor: baseMinor,
    earnedMinor: earnedBy.get(partnerId) ?? 0,
  }));
  await changeStandings(tx, changes);
  const above = uplines.slice(1);
  await changeLevels(
    tx,
    above.map(({ partnerId }, index) => ({
      ...{ partnerId, level: index + 1, partners: 0, volumeMinor: baseMinor },
    })),
  );
  await changeMonths(tx, changes, occurredAt);
}
