import { v7 } from 'uuid';
import { keysOf } from '../../sealing/keys-of';
import { execute, type Tx } from '../../sql/query';
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

export interface OutboxSms {
  /** Names the business event; shared with mails. */
  reference: string;
  /** E.164. */
  to: string;
  text: string;
  /** The single-use code that it carries, if any; the database forgets it when the message is out. */
  code?: string;
}

/** Owes somebody a mail if, and only if, the transaction commits. The sender hears of it at that moment. */
export async function enqueueMail(tx: Tx, { reference, to, ...content }: OutboxMail): Promise<void> {
  await enqueue(tx, 'MAIL', reference, to, content);
}

/** The same for a text message. */
export async function enqueueSms(tx: Tx, { reference, to, ...content }: OutboxSms): Promise<void> {
  await enqueue(tx, 'SMS', reference, to, content);
}

/** What a message's seal is bound to: moved to another row, it does not open. */
export const sealPurpose = (id: string): string => `outbox:${id}`;

async function enqueue(
  tx: Tx,
  kind: 'MAIL' | 'SMS',
  reference: string,
  to: string,
  content: object,
): Promise<void> {
  const id = v7();
  const sealed = keysOf(tx).seal(Buffer.from(JSON.stringify(content)), sealPurpose(id));
  await execute(
    tx,
    `WITH message AS (
       INSERT INTO outbox_messages (id, kind, reference, recipient, sealed_payload, status, due_at, created_at)
         VALUES ($1, $2, $3, $4, $5, 'WAITING', now(), now())
         ON CONFLICT (reference) DO NOTHING RETURNING id
     ) SELECT pg_notify('${OUTBOX_CHANNEL}', '') FROM message`,
    [id, kind, reference, to, sealed],
  );
}
