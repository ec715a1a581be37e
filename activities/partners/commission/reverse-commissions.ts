import { v7 } from 'uuid';
import type { CommissionBookings } from '../../../db/partners/commission/commission-ledger.transitions';
import {
  insertCommissions,
  lockCommissionsOf,
  markReversed,
  unmarkReversed,
  type NewCommission,
  type ReversibleCommission,
} from '../../../db/partners/commission/commission.transitions';
import type { Tx } from '../../../db/sql/query';
import {
  restoredTo,
  reversalOf,
  type SaleWeights,
} from '../../../workflows/partners/commission/taking-back.rules';
import { earnedByPartner } from '../counting/counting';

/** The part that an event takes back of the commissions of one source. */
export interface Taking {
  sourceId: string;
  eventId: string;
  /** The weight that is taken back by now, this event included. */
  weightTaken: bigint;
  /** The part of this event alone; below zero where it restores. */
  taken: Pick<SaleWeights, 'baseMinor' | 'commissionWeight'>;
  /** True if it restores. */
  restores: boolean;
}

type Booked<Row> = Row & { userId: string; status: 'PENDING' | 'HELD' | 'APPROVED' };

interface Reversals {
  added: Booked<NewCommission>[];
  reversed: Booked<ReversibleCommission>[];
  restored: Booked<ReversibleCommission>[];
}

/**
 * Takes back of each commission of a source what is missing to its share, or restores what is too much. Returns its bookings,
 * and the change of what each partner has earned.
 */
export async function reverseCommissions(
  tx: Tx,
  taking: Taking,
  at: Date,
): Promise<{ bookings: CommissionBookings; earnedBy: Map<string, number> }> {
  const found: Reversals = { added: [], reversed: [], restored: [] };
  for (const commission of await lockCommissionsOf(tx, taking.sourceId))
    reverse(found, commission, taking, at);
  const { added, reversed, restored } = found;
  const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
  await unmarkReversed(tx, idsOf(restored), { eventId: taking.eventId, at });
  await insertCommissions(tx, added);
  await markReversed(tx, idsOf(reversed), at);
  const lost = reversed.map((commission) => ({ ...commission, netMinor: -commission.netMinor }));
  return {
    bookings: { added, takenBack: { eventId: taking.eventId, reversed, restored } },
    earnedBy: earnedByPartner([...added, ...lost, ...restored]),
  };
}

/** One that was taken back as a whole is restored first, if less than all of it is taken back now. */
function reverse(
  found: Reversals,
  commission: ReversibleCommission,
  { eventId, weightTaken, taken, restores }: Taking,
  at: Date,
): void {
  const restored = restoredTo(commission, weightTaken);
  const status = restored ?? commission.status;
  if (restored !== null) found.restored.push({ ...commission, status: restored });
  const reversal = reversalOf({ ...commission, status }, weightTaken, restores && restored === null);
  if (reversal.kind === 'REVERSED' && status !== 'PAID' && status !== 'REVERSED')
    found.reversed.push({ ...commission, status });
  if (reversal.kind !== 'PART') return;
  const { grossMinor, netMinor, points } = reversal;
  found.added.push({
    ...commission,
    ...{ id: v7(), eventId, reversalOf: commission.id, createdAt: at, status: reversal.status },
    ...{ grossMinor: -grossMinor, netMinor: -netMinor, points: 0 - points },
    // Of the event, instead of the sale.
    ...{ baseMinor: 0 - taken.baseMinor, commissionWeight: (-taken.commissionWeight).toString() },
  });
}
