import { isMoneyReturned } from '../../../db/commerce/refund/sending/schedule-refund.transitions';
import { closeAttempts } from '../../../db/commerce/payment/payment-attempt.transitions';
import type { Entrance } from '../../../db/partners/membership/entrance.reads';
import { endEntrance, lockEntrance } from '../../../db/partners/membership/entrance.transitions';
import type { Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { EntranceState } from '../../../workflows/partners/membership/entrance.contract';
import { entranceUnpaidLetter } from '../../../workflows/partners/membership/membership.letters';
import type { DbDeps } from '../../steps';
import { entranceStateOf } from './entrance-state';
import { queueEntranceMail, withdrawEntranceTransferMail } from './queue-entrance-mail';

/** Gives up a locked entrance fee, in the caller's transaction; its attempts to pay are closed, and money that comes goes back. */
export async function cancelEntrance(tx: Tx, entrance: Entrance, at: string): Promise<void> {
  const now = new Date(at);
  const ref = { entranceId: entrance.id };
  const paymentStatus = (await isMoneyReturned(tx, ref)) ? 'REFUNDED' : 'FAILED';
  await endEntrance(tx, entrance, 'CANCELLED', { paymentStatus }, now);
  await closeAttempts(tx, ref, 'EXPIRED', at);
  await withdrawEntranceTransferMail(tx, entrance.id);
}

/** Cancels an entrance fee that was not paid in time, which is mailed. */
export async function cancelUnpaidEntrance(tx: Tx, entrance: Entrance, at: string): Promise<void> {
  await cancelEntrance(tx, entrance, at);
  await queueEntranceMail(tx, entrance, 'unpaid', entranceUnpaidLetter);
}

/** Cancels an unpaid entrance fee after its payment window; any other is only read. */
export const expireEntrance = (
  { db }: DbDeps,
  { entranceId, at }: { entranceId: string; at: string },
): Promise<EntranceState> =>
  inTransaction(db, async (tx) => {
    const entrance = await lockEntrance(tx, entranceId);
    if (!entrance) throw new Error(`There is no entrance ${entranceId}.`);
    if (entrance.status === 'PENDING_PAYMENT' && entrance.paymentExpiresAt <= new Date(at))
      await cancelUnpaidEntrance(tx, entrance, at);
    return entranceStateOf(tx, (await lockEntrance(tx, entranceId)) ?? entrance);
  });
