import { v7 } from 'uuid';
import { keysOf } from '../../sealing/keys-of';
import { sealPurposes } from '../../sealing/purposes';
import { execute, firstRow, type Tx } from '../../sql/query';
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

/**
 * Queues a mail that is due after `waitMs`. No announcement wakes the sender, which looks for due mails by itself every two
 * seconds: transactions with an announcement commit one after the other, so those that move money or stock have none.
 */
export async function enqueueQuietMail(
  tx: Tx,
  { reference, to, ...content }: OutboxMail,
  waitMs = 0,
): Promise<void> {
  const id = v7();
  await execute(
    tx,
    `INSERT INTO outbox_messages (id, kind, reference, recipient, sealed_payload, status, due_at, created_at)
     VALUES ($1, 'MAIL', $2, $3, $4, 'WAITING', now() + $5 * interval '1 millisecond', now())
     ON CONFLICT (reference) DO NOTHING`,
    [id, reference, to, sealedContent(tx, id, content), waitMs],
  );
}

/**
 * Replaces the content of a mail that nobody has tried to send, which is then due after `waitMs`; any other stays as it
 * is. The new content is requested only if there is such a mail; null leaves the old one.
 */
export async function replaceMail(
  tx: Tx,
  reference: string,
  contentOf: () => Promise<Omit<OutboxMail, 'reference' | 'to'> | null>,
  waitMs: number,
): Promise<void> {
  const queued = await firstRow<{ id: string }>(
    tx,
    `SELECT id FROM outbox_messages WHERE reference = $1 AND status = 'WAITING' AND attempts = 0 FOR UPDATE`,
    [reference],
  );
  const content = queued && (await contentOf());
  if (!content) return;
  await execute(
    tx,
    `UPDATE outbox_messages SET sealed_payload = $2, due_at = now() + $3 * interval '1 millisecond' WHERE id = $1`,
    [queued.id, sealedContent(tx, queued.id, content), waitMs],
  );
}

/**
 * Withdraws a message: deletes one that nobody has tried to send, and the content of one that was given up. One that has been
 * tried is marked, and not tried again. A sender that claims it at the same time comes first: what it sends is sent.
 */
export async function withdrawMail(tx: Tx, reference: string): Promise<void> {
  await execute(
    tx,
    `DELETE FROM outbox_messages WHERE reference = $1 AND status = 'WAITING' AND attempts = 0`,
    [reference],
  );
  // A statement of its own, so that it sees a claim that the first one waited for.
  await execute(
    tx,
    `UPDATE outbox_messages SET withdrawn_at = now(),
       sealed_payload = CASE WHEN status = 'WAITING' THEN sealed_payload END,
       content_gone = CASE WHEN status = 'DEAD' THEN 'WITHDRAWN' END
     WHERE reference = $1 AND status IN ('WAITING', 'DEAD') AND sealed_payload IS NOT NULL`,
    [reference],
  );
}

const sealedContent = (tx: Tx, id: string, content: object): Buffer =>
  keysOf(tx).seal(Buffer.from(JSON.stringify(content)), sealPurposes.outboxMessage(id));

async function insertMessage(
  tx: Tx,
  kind: 'MAIL' | 'SMS',
  reference: string,
  to: string,
  content: object,
): Promise<void> {
  const id = v7();
  const sealed = sealedContent(tx, id, content);
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
