import { v7 } from 'uuid';
import { keysOf } from '../../../../db/sealing/keys-of';
import { sealPurposes } from '../../../../db/sealing/purposes';
import { execute, type Db } from '../../../../db/sql/query';

const PAID = JSON.stringify({ subject: 'Paid', text: 'Thank you.', html: '<p>Thank you.</p>' });

/** Mails that were given up and can be sent again; answers their ids. */
export async function deadMessages(db: Db, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => v7());
  await execute(
    db,
    `INSERT INTO outbox_messages (id, kind, reference, recipient, status, attempts, last_error, due_at, created_at,
       dead_at, sealed_payload)
     SELECT id, 'MAIL', 'order:' || id || ':paid', 'ada@example.com', 'DEAD', 12, 'The mailbox is full.', now(), now(),
       now(), sealed
     FROM unnest($1::uuid[], $2::bytea[]) AS message (id, sealed)`,
    [ids, ids.map((id) => keysOf(db).seal(Buffer.from(PAID), sealPurposes.outboxMessage(id)))],
  );
  return ids;
}
