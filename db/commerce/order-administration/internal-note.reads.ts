import type { Attributes } from 'sequelize';
import { rows, type Db } from '../../sql/query';
import type { OrderInternalNote } from './order-internal-note.model';

/** An internal note with its author, whose address is null when the account is no longer known. */
export type InternalNoteRow = Omit<Attributes<OrderInternalNote>, 'orderId'> & { authorEmail: string | null };

/** The internal notes of an order, oldest first. Their number is bounded where they are written. */
export const internalNotesOf = (db: Db, orderId: string): Promise<InternalNoteRow[]> =>
  rows<InternalNoteRow>(
    db,
    `SELECT n.id, n.note, n.created_by, n.created_at, u.email AS author_email
       FROM order_internal_notes n LEFT JOIN users u ON u.id = n.created_by
      WHERE n.order_id = $1 ORDER BY n.created_at, n.id`,
    [orderId],
  );
