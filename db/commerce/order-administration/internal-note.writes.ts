import type { Attributes } from 'sequelize';
import {
  MOST_INTERNAL_NOTES,
  REPEATED_NOTE_MINUTES,
} from '../../../workflows/commerce/order/internal-note.rules';
import { firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { OrderInternalNote } from './order-internal-note.model';

/**
 * Adds a note to an order whose lock the caller holds. REPEATED: the request was sent again; the order has a note with this
 * id, or its author's newest note on the order has this text and is younger than `REPEATED_NOTE_MINUTES`. FULL: the order
 * has as many notes as it may have.
 */
export async function addInternalNote(
  tx: Tx,
  note: Attributes<OrderInternalNote>,
): Promise<'ADDED' | 'REPEATED' | 'FULL'> {
  const { orderId } = note;
  if (await isRepeated(tx, note)) return 'REPEATED';
  const notes = table(tx, OrderInternalNote);
  if ((await notes.count({ orderId })) >= MOST_INTERNAL_NOTES) return 'FULL';
  await notes.insert(note);
  return 'ADDED';
}

async function isRepeated(
  tx: Tx,
  { id, orderId, note, createdBy, createdAt }: Attributes<OrderInternalNote>,
): Promise<boolean> {
  const newest = await firstRow<{ isSame: boolean }>(
    tx,
    `SELECT id = $3 OR (note = $4 AND created_at > $5::timestamptz - make_interval(mins => $6)) AS is_same
     FROM order_internal_notes WHERE order_id = $1 AND created_by = $2
     ORDER BY id = $3 DESC, created_at DESC, id DESC LIMIT 1`,
    [orderId, createdBy, id, note, createdAt, REPEATED_NOTE_MINUTES],
  );
  return newest?.isSame ?? false;
}
