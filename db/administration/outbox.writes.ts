import { v7 } from 'uuid';
import { execute, type Tx } from '../sql';
import { OUTBOX_CHANNEL } from './outbox-channel';

export interface OutboxMail {
  /** Names the business event, such as `order:<id>:paid`: an event repeated sends nothing twice. */
  reference: string;
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The single-use secret that the mail carries, if any; the database forgets it when the mail is out. */
  token?: string;
  code?: string;
}

/** Owes somebody a mail if, and only if, the transaction commits. The sender hears of it at that moment. */
export async function enqueueMail(tx: Tx, { reference, to, ...content }: OutboxMail): Promise<void> {
  await execute(
    tx,
    `WITH message AS (
       INSERT INTO outbox_messages (id, kind, reference, recipient, payload, status, due_at, created_at)
         VALUES ($1, 'MAIL', $2, $3, $4::jsonb, 'WAITING', now(), now())
         ON CONFLICT (reference) DO NOTHING RETURNING id
     ) SELECT pg_notify('${OUTBOX_CHANNEL}', '') FROM message`,
    [v7(), reference, to, JSON.stringify(content)],
  );
}
