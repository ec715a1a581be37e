import { execute, firstRow, type Tx } from '../../sql/query';
import { DEAD_MESSAGE, type DeadMessage } from './dead-message.reads';
import { OUTBOX_CHANNEL } from './outbox-channel';
import type { OutboxMessage } from './outbox-message.model';

/** Locks a message for the decision to send it again; null: there is none. */
export const lockMessage = (
  tx: Tx,
  id: string,
): Promise<(DeadMessage & { status: OutboxMessage['status'] }) | null> =>
  firstRow(tx, `SELECT status, ${DEAD_MESSAGE} FROM outbox_messages WHERE id = $1 FOR UPDATE`, [id]);

/** Queues a locked message that was given up again, with new tries, and wakes the sender when the transaction commits. */
export async function requeueMessage(tx: Tx, id: string): Promise<void> {
  await execute(
    tx,
    `WITH message AS (
       UPDATE outbox_messages SET status = 'WAITING', attempts = 0, due_at = now(), dead_at = NULL
         WHERE id = $1 AND status = 'DEAD' RETURNING id
     ) SELECT pg_notify('${OUTBOX_CHANNEL}', '') FROM message`,
    [id],
  );
}
