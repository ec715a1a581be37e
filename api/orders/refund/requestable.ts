import { isNoteStored } from '../../../db/administration/idempotency/request-note.writes';
import type { OrderDetailRow } from '../../../db/commerce/order/order.reads';
import {
  requestedClaim,
  type NamedUnits,
  type RequestableOrder,
} from '../../../workflows/commerce/refund/requested-claim';
import type { Context } from '../../http/handler-context';

/** An order as the rules of refunds read it. */
export function requestableOf(order: OrderDetailRow): RequestableOrder {
  const delivered = order.history.find((change) => change.status === 'DELIVERED');
  return {
    ...order,
    deliveredAt: delivered ? new Date(delivered.changedAt) : null,
    lines: order.items.map(({ id: itemId, totalMinor, discountMinor, ...item }) => ({
      ...item,
      itemId,
      goodsMinor: totalMinor - discountMinor,
    })),
  };
}

/**
 * Refuses a request that its process could only refuse, so that neither notes nor a history are stored for it; the
 * process decides all others. A repetition of a request whose note is stored passes, since its process may have opened
 * the request that now stands in its way. Refused: as `requestedClaim`.
 */
export async function requireRequestable(
  order: OrderDetailRow,
  named: NamedUnits,
  { db, mint, policy }: Pick<Context<'user'>, 'db' | 'mint' | 'policy'>,
): Promise<void> {
  try {
    requestedClaim(requestableOf(order), named, new Date(), policy.refundWindowDays);
  } catch (refused) {
    // Looked for after the order was read: whatever of this request the order shows, its note was stored before.
    const { note } = await mint('note');
    if (!(await isNoteStored(db, note))) throw refused;
  }
}
