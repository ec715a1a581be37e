import type { CommissionStatus } from '../../../workflows/partners/commission/commission.states';
import { postNewTransfers } from '../../ledger/batch.transitions';
import type { PlatformAccount, UserAccount } from '../../ledger/ledger.accounts';
import { postTransfer, type Transfer } from '../../ledger/ledger.transitions';
import type { Tx } from '../../sql/query';

/** A commission as its bookings name it. `userId`: the partner's user. */
export interface BookedCommission {
  id: string;
  userId: string;
  netMinor: number;
  currency: string;
}

/** The states in which a commission comes to be. */
type FirstStatus = 'PENDING' | 'APPROVED' | 'HELD';

/** The account in which a commission of a status lies; what is reversed lies in none. */
export const accountOfCommission = (
  status: Exclude<CommissionStatus, 'REVERSED' | 'PAID'>,
): Extract<UserAccount, 'partner_pending' | 'partner_available'> =>
  status === 'APPROVED' ? 'partner_available' : 'partner_pending';

/** The transfer of a new commission, or of one that takes back a part of another. */
function bookingOf(
  { id, userId, netMinor, currency }: BookedCommission,
  status: FirstStatus,
  from: PlatformAccount,
): Omit<Transfer, 'at'> {
  const account = accountOfCommission(status);
  return {
    reference: { kind: 'commission', subjectId: id },
    clawback: netMinor < 0 && account === 'partner_available',
    entries: [
      { account: from, currency, amountMinor: -netMinor },
      { account, userId, currency, amountMinor: netMinor },
    ],
  };
}

/**
 * Books a new commission, or one that takes back a part of another. Taking back from
 * `partner_available` may leave it below zero.
 */
export async function bookCommission(
  tx: Tx,
  commission: BookedCommission,
  { status, from = 'commission_expense', at }: { status: FirstStatus; from?: PlatformAccount; at: Date },
): Promise<void> {
  await postTransfer(tx, { ...bookingOf(commission, status, from), at });
}

/** Bookings of one event: commissions that it adds, and those that it takes back or restores as a whole. */
export interface CommissionBookings {
  added: readonly (BookedCommission & { status: FirstStatus })[];
  /** Left out by events that take nothing back. */
  takenBack?: {
    eventId: string;
    /** In the state before. */
    reversed: readonly (BookedCommission & { status: FirstStatus })[];
    /** Taken back as a whole before; in the state after. */
    restored: readonly (BookedCommission & { status: FirstStatus })[];
  };
}

/** Books all commissions of an event by two statements. */
export async function bookCommissions(
  tx: Tx,
  { added, takenBack }: CommissionBookings,
  at: Date,
): Promise<void> {
  const from = 'commission_expense';
  const { eventId: part = '', reversed = [], restored = [] } = takenBack ?? {};
  await postNewTransfers(
    tx,
    [
      ...added.map((commission) => bookingOf(commission, commission.status, from)),
      ...reversed.map((commission) => ({
        ...bookingOf({ ...commission, netMinor: -commission.netMinor }, commission.status, from),
        reference: { kind: 'commission-reversal', subjectId: commission.id, part } as const,
      })),
      ...restored.map((commission) => ({
        ...bookingOf(commission, commission.status, from),
        reference: { kind: 'commission-restoration', subjectId: commission.id, part } as const,
      })),
    ],
    at,
  );
}
