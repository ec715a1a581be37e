import type { Attributes } from 'sequelize';
import { MOST_INTERNAL_NOTES } from '../../../workflows/commerce/order/internal-note.rules';
import { firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { OrderInternalNote } from './order-internal-note.model';

/**
 * Adds a note to an order whose lock the caller holds. REPEATED: the order's newest note has this text and this author, as
 * when a request is sent again. FULL: the order has as many notes as it may have.
 */
export async function addInternalNote(
  tx: Tx,
  note: Attributes<OrderInternalNote>,
): Promise<'ADDED' | 'REPEATED' | 'FULL'> {
  const { orderId } = note;
  const newest = await firstRow<Pick<typeof note, 'note' | 'createdBy'>>(
    tx,
    `SELECT note, created_by FROM order_internal_notes WHERE order_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1`,
    [orderId],
  );
  if (newest?.note === note.note && newest.createdBy === note.createdBy) return 'REPEATED';
  const notes = table(tx, OrderInternalNote);
  if ((await notes.count({ orderId })) >= MOST_INTERNAL_NOTES) return 'FULL';
  await notes.insert(note);
  return 'ADDED';
}
