import { bookForfeited, bookReturned } from '../../../db/commerce/payout/payout-ledger.transitions';
import { movePayout, type PayoutRow } from '../../../db/commerce/payout/payout.transitions';
import type { Tx } from '../../../db/sql/query';

/** The end of a payout of which nothing was sent. */
interface UnsentEnd {
  status: 'REJECTED' | 'CANCELLED';
  reason: string | null;
  /** False forfeits its amount. */
  returnsFunds: boolean;
  /** The person who decided it, or the chargeback that ended it. */
  by: { decidedBy: string } | { chargebackId: string };
}

/** Ends a locked payout of which nothing was sent, with its money and without its destination. */
export async function endUnsentPayout(
  tx: Tx,
  payout: PayoutRow,
  { status, reason, returnsFunds, by }: UnsentEnd,
  at: Date,
): Promise<void> {
  await movePayout(tx, payout, {
    ...by,
    status,
    rejectionReason: reason,
    fundsReturned: returnsFunds,
    details: null,
    endedAt: at,
  });
  await (returnsFunds ? bookReturned : bookForfeited)(tx, payout, at);
}
