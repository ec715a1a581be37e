import { isMoneyReturned } from '../../../db/commerce/refund/sending/schedule-refund.transitions';
import { closeAttempts } from '../../../db/commerce/payment/payment-attempt.transitions';
import type { TopUpRow } from '../../../db/ledger/top-up/top-up.reads';
import { endTopUp } from '../../../db/ledger/top-up/top-up.transitions';
import type { Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import type { TopUpState } from '../../../workflows/ledger/top-up/top-up.contract';
import { topUpUnpaidLetter } from '../../../workflows/ledger/top-up/top-up.letters';
import type { DbDeps } from '../../steps';
import { queueTopUpMail, withdrawTopUpTransferMail } from './queue-top-up-mail';
import { requireTopUp, topUpStateOf } from './top-up-state';

interface Moment {
  topUpId: string;
  at: string;
}

/** Cancels a top-up as its owner asks; money that comes later goes back. One that is cancelled is only read. Refused: CANNOT_CANCEL. */
export const cancelTopUp = ({ db }: DbDeps, { topUpId, at }: Moment): Promise<TopUpState> =>
  inTransaction(db, async (tx) => {
    const topUp = await requireTopUp(tx, topUpId);
    if (topUp.status === 'PAID') throw refusal('CANNOT_CANCEL', 'This top-up is paid.');
    if (topUp.status === 'PENDING_PAYMENT') await giveUp(tx, topUp, at);
    return topUpStateOf(tx, await requireTopUp(tx, topUpId));
  });

/** Cancels an unpaid top-up after its payment window; any other is only read. */
export const expireTopUp = ({ db }: DbDeps, { topUpId, at }: Moment): Promise<TopUpState> =>
  inTransaction(db, async (tx) => {
    const topUp = await requireTopUp(tx, topUpId);
    if (topUp.status === 'PENDING_PAYMENT' && topUp.paymentExpiresAt <= new Date(at))
      await cancelUnpaidTopUp(tx, topUp, at);
    return topUpStateOf(tx, await requireTopUp(tx, topUpId));
  });

/** Cancels a locked top-up that was not paid in time, which is mailed, in the caller's transaction. */
export async function cancelUnpaidTopUp(tx: Tx, topUp: TopUpRow, at: string): Promise<void> {
  await giveUp(tx, topUp, at);
  await queueTopUpMail(tx, topUp, 'unpaid', topUpUnpaidLetter);
}

/** Ends an unpaid top-up; its attempts to pay are closed. */
async function giveUp(tx: Tx, topUp: TopUpRow, at: string): Promise<void> {
  const ref = { topUpId: topUp.id };
  const paymentStatus = (await isMoneyReturned(tx, ref)) ? 'REFUNDED' : 'FAILED';
  await endTopUp(tx, topUp, 'CANCELLED', { paymentStatus }, new Date(at));
  await closeAttempts(tx, ref, 'EXPIRED', at);
  await withdrawTopUpTransferMail(tx, topUp.id);
}
