import { v7 } from 'uuid';
import { announce } from '../../../db/administration/domain-event/domain-event.writes';
import type { Entrance } from '../../../db/partners/membership/entrance.reads';
import { bookEntrance, endEntrance } from '../../../db/partners/membership/entrance.transitions';
import type { Tx } from '../../../db/sql/query';
import type { EntranceMethod } from '../../../workflows/partners/membership/membership.rules';
import { becomePartner } from './become-partner';
import { withdrawEntranceTransferMail } from './queue-entrance-mail';

interface EntrancePayment {
  /** The id of the request that pays, by which its repetition is known; left out of a payment that arrives. */
  partnerId?: string;
  method: EntranceMethod;
  provider: string | null;
  at: string;
}

/**
 * Carries out all that the payment of a locked entrance fee means, in the caller's transaction: its user is a partner. Who joins
 * without it closes it first, so its user is none. Throws InsufficientBalance, after which the transaction can only be rolled
 * back, when the wallet does not cover it.
 */
export async function settleEntrance(
  tx: Tx,
  entrance: Entrance,
  { partnerId = v7(), method, provider, at }: EntrancePayment,
): Promise<void> {
  const { id: entranceId, userId, amountMinor, currency } = entrance;
  const now = new Date(at);
  await becomePartner(tx, { partnerId, userId, at });
  const paid = { partnerId, paymentStatus: 'PAID', paymentMethod: method, paidAt: now } as const;
  await endEntrance(tx, entrance, 'PAID', paid, now);
  await bookEntrance(tx, entrance, provider === null ? { wallet: true } : { provider }, now);
  await announce(tx, { type: 'entrance.paid', partnerId, userId, entranceId, amountMinor, currency }, at);
  await withdrawEntranceTransferMail(tx, entranceId);
}
