import { v7 } from 'uuid';
import { bookCommissions } from '../../../db/partners/commission/commission-ledger.transitions';
import {
  insertCommissions,
  type NewCommission,
} from '../../../db/partners/commission/commission.transitions';
import { changeStandings, earnedBy } from '../../../db/partners/membership/standing.transitions';
import type { PlacedUpline } from '../../../db/partners/network/upline.reads';
import type { Programme } from '../../../db/partners/programme/programme.reads';
import type { Tx } from '../../../db/sql/query';
import type { CommissionTerms, EarnedCommission } from '../../../workflows/partners/commission/earning.rules';
import { DAY_MS } from '../../../workflows/kit/values/durations.rules';

/** The time of counting, and how long commissions are pending. */
export interface Counting {
  at: Date;
  pendingDays: number;
}

/** The columns that the commissions of one event have in common. */
export interface CommissionOrigin {
  eventId: string | null;
  occurredAt: Date;
  sourceId: string;
  buyerId: string | null;
  sourcePartnerId: string | null;
  baseMinor: number;
  commissionWeight: bigint;
  /** Of the sale; they are shown with the commission of its sponsor. */
  points: number;
  currency: string;
}

/** A pending commission with the user in whose account it lies. */
export type AddedCommission = NewCommission & { userId: string; status: 'PENDING' };

export const termsOf = (programme: Programme): CommissionTerms => ({
  rates: programme,
  ranks: programme.ranks,
});

/** The time at which a commission matures. Chosen: counted from the sale, not from when it was counted. */
export const maturityOf = (occurredAt: Date, { pendingDays }: Counting): Date =>
  new Date(occurredAt.getTime() + pendingDays * DAY_MS);

/** Adds pending commissions. Returns those that were not there before; their bookings and sums are the caller's. */
export async function addCommissions(
  tx: Tx,
  earned: readonly EarnedCommission[],
  { programme, uplines }: { programme: Programme; uplines: readonly PlacedUpline[] },
  { occurredAt, points, commissionWeight, ...origin }: CommissionOrigin,
  counting: Counting,
): Promise<AddedCommission[]> {
  const userBy = new Map(uplines.map(({ partnerId, userId }) => [partnerId, userId]));
  const commissions = earned.map((commission): AddedCommission => ({
    ...{ id: v7(), ...commission, ...origin },
    userId: userBy.get(commission.partnerId) ?? '',
    commissionWeight: commissionWeight.toString(),
    programmeVersion: programme.version,
    points: commission.type === 1 || commission.type === 3 ? points : 0,
    status: 'PENDING',
    maturesAt: maturityOf(occurredAt, counting),
    reversalOf: null,
    createdAt: counting.at,
  }));
  const added = await insertCommissions(tx, commissions);
  return commissions.filter(({ id }) => added.has(id));
}

/** The sums of commissions by partner. */
export function earnedByPartner(
  commissions: readonly { partnerId: string; netMinor: number }[],
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { partnerId, netMinor } of commissions)
    sums.set(partnerId, (sums.get(partnerId) ?? 0) + netMinor);
  return sums;
}

/** Counts commissions that no sale comes with, and books them. */
export async function settleCommissions(tx: Tx, added: readonly AddedCommission[], at: Date): Promise<void> {
  await changeStandings(
    tx,
    [...earnedByPartner(added)].map(([partnerId, netMinor]) => earnedBy(partnerId, netMinor)),
  );
  await bookCommissions(tx, { added }, at);
}
