import { bookGivenBack, bookTakenBack } from '../../../db/ledger/top-up/top-up-ledger.transitions';
import type { TopUpRow } from '../../../db/ledger/top-up/top-up.reads';
import type { Tx } from '../../../db/sql/query';
import { topUpGivenBackLetter, topUpTakenBackLetter } from '../../../workflows/ledger/top-up/top-up.letters';
import { endChargedBackWithdrawal } from '../../commerce/payout/chargeback/end-charged-back-withdrawal';
import { queueTopUpMail } from './queue-top-up-mail';

/**
 * Takes from the wallet what a bank has taken of a top-up, as far as the wallet holds it, in the caller's transaction. A withdrawal
 * of which nothing was sent ends before, so that its money is in the wallet again. The rest stays a loss.
 */
export async function takeBackTopUp(
  tx: Tx,
  topUp: TopUpRow,
  chargeback: { chargebackId: string; amountMinor: number },
  at: string,
): Promise<void> {
  const audit = await endChargedBackWithdrawal(tx, topUp, chargeback, new Date(at));
  const takenMinor = await bookTakenBack(tx, topUp, chargeback, new Date(at));
  if (takenMinor > 0)
    await queueTopUpMail(tx, topUp, `taken-back:${chargeback.chargebackId}`, (data) =>
      topUpTakenBackLetter(data, takenMinor),
    );
  await audit?.();
}

/** Returns to the wallet what was taken from it, since the bank has returned the money. */
export async function giveBackTopUp(
  tx: Tx,
  topUp: TopUpRow,
  { chargebackId }: { chargebackId: string },
  at: string,
): Promise<void> {
  const returnedMinor = await bookGivenBack(tx, topUp, chargebackId, new Date(at));
  if (returnedMinor > 0)
    await queueTopUpMail(tx, topUp, `given-back:${chargebackId}`, (data) =>
      topUpGivenBackLetter(data, returnedMinor),
    );
}
