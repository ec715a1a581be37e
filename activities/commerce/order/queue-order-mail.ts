import { letter } from '../../../db/administration/outbox/letter';
import { enqueueQuietMail } from '../../../db/administration/outbox/outbox.writes';
import { orderAddressee } from '../../../db/commerce/order/order-letter.reads';
import type { Tx } from '../../../db/sql/query';
import { orderChangedLetter, type OrderLetterChange } from '../../../workflows/commerce/order/order.letters';

/**
 * Queues a mail to the buyer about the order as this transaction sees it; none to an erased account. Keyed by
 * status: each status is mailed once.
 */
export async function queueOrderMail(
  tx: Tx,
  orderId: string,
  change: OrderLetterChange & { to: NonNullable<OrderLetterChange['to']> },
): Promise<void> {
  const addressee = await orderAddressee(tx, orderId);
  if (!addressee) return;
  await enqueueQuietMail(tx, {
    reference: `order:${orderId}:${change.to.toLowerCase()}`,
    to: addressee.email,
    ...letter(orderChangedLetter(addressee, change)),
  });
}
