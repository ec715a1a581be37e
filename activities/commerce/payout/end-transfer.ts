import { bookPaidOut } from '../../../db/commerce/payout/payout-ledger.transitions';
import { movePayout, type PayoutRow } from '../../../db/commerce/payout/payout.transitions';
import { payCommissions } from '../../../db/partners/commission/paid.transitions';
import type { Tx } from '../../../db/sql/query';
import type { Fate } from '../../../workflows/commerce/payout/transfer/transfer-moves.rules';
import { unprovenAfter } from '../../providers/payouts/attempted-transfer';
import { queuePayoutMail } from './queue-payout-mail';

/** A transfer that has arrived. `settledBy`: the administrator who says so; left out: its provider does. */
export interface ArrivedTransfer {
  provider: string;
  transferReference: string;
  settledBy?: string;
}

/**
 * Completes a locked payout that is PROCESSING: its money was with the provider, its partner's oldest commissions are paid,
 * and its owner gets a mail. Locks commissions before balances, as all others do.
 */
export async function completeTransfer(
  tx: Tx,
  payout: PayoutRow,
  arrived: ArrivedTransfer,
  at: Date,
): Promise<void> {
  await movePayout(tx, payout, { ...arrived, status: 'COMPLETED', endedAt: at });
  if (payout.partnerId !== null)
    await payCommissions(tx, { partnerId: payout.partnerId, currency: payout.currency, at });
  await bookPaidOut(tx, payout, arrived.provider, at);
  await queuePayoutMail(tx, payout, 'COMPLETED');
}

/**
 * Takes a locked payout that is PROCESSING back to APPROVED, since its transfer was certainly not carried out: the next one has another
 * key. `fate`: what a look-up said of it.
 */
export const refuseTransfer = (
  tx: Tx,
  payout: PayoutRow,
  { reason, fate }: { reason: string; fate: Fate },
): Promise<void> =>
  movePayout(tx, payout, {
    ...{ status: 'APPROVED', provider: null, lastRefusal: reason, askedAt: null },
    unproven: unprovenAfter(payout, fate),
  });
