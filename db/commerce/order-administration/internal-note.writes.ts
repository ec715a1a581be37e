import type { Attributes } from 'sequelize';
import { MOST_INTERNAL_NOTES } from '../../../workflows/commerce/order/internal-note.rules';
import { execute, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { OrderInternalNote } from './order-internal-note.model';

/**
 * Adds a note to an order whose lock the caller holds. ADDED also for a note with this id that is there already; FULL:
 * the order has as many notes as it may have.
 */
export async function addInternalNote(
  tx: Tx,
  { id, orderId, note, createdBy, createdAt }: Attributes<OrderInternalNote>,
): Promise<'ADDED' | 'FULL'> {
  const added = await execute(
    tx,
    `INSERT INTO order_internal_notes (id, order_id, note, created_by, created_at)
     SELECT $1::uuid, $2::uuid, $3, $4::uuid, $5::timestamptz
      WHERE (SELECT count(*) FROM order_internal_notes WHERE order_id = $2) < $6
     ON CONFLICT (id) DO NOTHING`,
    [id, orderId, note, createdBy, createdAt, MOST_INTERNAL_NOTES],
  );
  return added === 1 || (await isInternalNoteKept(tx, id)) ? 'ADDED' : 'FULL';
}

/** Tells whether a note has this id: then its request was carried out before. */
export const isInternalNoteKept = async (tx: Tx, id: string): Promise<boolean> =>
  (await table(tx, OrderInternalNote).count({ id })) > 0;
