import { v7 } from 'uuid';
import { execute, type Db } from '../../../../db/sql/query';

/** Mails that were given up and can be sent again; answers their ids. */
export async function deadMessages(db: Db, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => v7());
  await execute(
    db,
    `INSERT INTO outbox_messages (id, kind, reference, recipient, status, attempts, last_error, due_at, created_at,
       dead_at, payload)
     SELECT id, 'MAIL', 'order:' || id || ':paid', 'ada@example.com', 'DEAD', 12, 'The mailbox is full.', now(), now(),
       now(), '{"subject": "Paid", "text": "Thank you.", "html": "<p>Thank you.</p>"}'
     FROM unnest($1::uuid[]) AS id`,
    [ids],
  );
  return ids;
}
