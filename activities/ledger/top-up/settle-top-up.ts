import { bookTopUp } from '../../../db/ledger/top-up/top-up-ledger.transitions';
import type { TopUpRow } from '../../../db/ledger/top-up/top-up.reads';
import { endTopUp } from '../../../db/ledger/top-up/top-up.transitions';
import type { Tx } from '../../../db/sql/query';
import { topUpPaidLetter } from '../../../workflows/ledger/top-up/top-up.letters';
import type { TopUpMethod } from '../../../workflows/ledger/top-up/top-up.rules';
import { queueTopUpMail, withdrawTopUpTransferMail } from './queue-top-up-mail';

/** Carries out all that the payment of a locked top-up means, in the caller's transaction: the money is in the wallet. */
export async function settleTopUp(
  tx: Tx,
  topUp: TopUpRow,
  { method, provider, at }: { method: TopUpMethod; provider: string; at: string },
): Promise<void> {
  const now = new Date(at);
  const paid = { paymentStatus: 'PAID', paymentMethod: method, paidAt: now } as const;
  await endTopUp(tx, topUp, 'PAID', paid, now);
  await withdrawTopUpTransferMail(tx, topUp.id);
  await queueTopUpMail(tx, topUp, 'paid', topUpPaidLetter);
  await bookTopUp(tx, topUp, provider, now);
}
