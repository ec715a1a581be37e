import { v7 } from 'uuid';
import { keysOf } from '../../sealing/keys-of';
import { execute, type Tx } from '../../sql/query';
import { OUTBOX_CHANNEL } from './outbox-channel';

export interface OutboxMail {
  /** The business event's unique name, such as `order:<id>:paid`: a repeated event queues one message. */
  reference: string;
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The single-use secret in the mail, if any; it is deleted once the mail is sent. */
  token?: string;
  code?: string;
}

export interface OutboxSms {
  /** The business event's unique name, among mails too. */
  reference: string;
  /** E.164. */
  to: string;
  text: string;
  /** The single-use code in the message, if any; it is deleted once the message is sent. */
  code?: string;
}

/** Queues a mail, to be sent if the transaction commits, which also wakes the sender. */
export async function enqueueMail(tx: Tx, { reference, to, ...content }: OutboxMail): Promise<void> {
  await insertMessage(tx, 'MAIL', reference, to, content);
}

/** Queues a text message in the same way. */
export async function enqueueSms(tx: Tx, { reference, to, ...content }: OutboxSms): Promise<void> {
  await insertMessage(tx, 'SMS', reference, to, content);
}

/** The purpose of a message's seal: content copied to another row does not open. */
export const sealPurpose = (id: string): string => `outbox:${id}`;

async function insertMessage(
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
