import { openMessage, type ClaimedMessage } from '../../../db/administration/outbox/outbox.transitions';
import { rows, type Db } from '../../../db/sql/query';

/** A queued message; test worlds send none. */
export interface OwedMessage {
  kind: 'MAIL' | 'SMS';
  reference: string;
  recipient: string;
  /** Null for an SMS. */
  subject: string | null;
  text: string;
  html: string | null;
  /** The secret that it carries. */
  token: string | null;
  code: string | null;
}

/** A queued mail. */
export interface OwedMail extends OwedMessage {
  subject: string;
}

type Row = ClaimedMessage & { reference: string };

/** Queued messages that fit an SQL condition on outbox_messages, decrypted, the oldest first. */
export async function owedMessages(
  db: Db,
  condition: string,
  bind: readonly unknown[] = [],
): Promise<OwedMessage[]> {
  const found = await rows<Row>(
    db,
    `SELECT id, kind, reference, recipient, attempts, sealed_payload, withdrawn_at
       FROM outbox_messages WHERE status = 'WAITING' AND (${condition}) ORDER BY created_at, id`,
    bind,
  );
  return found.map((row) => {
    const blank = { subject: null, html: null, token: null, code: null };
    const { kind, reference, recipient } = row;
    return { ...blank, ...openMessage(db, row).content, kind, reference, recipient };
  });
}

/** The queued mails to an address, the oldest first. */
export const mailsTo = async (db: Db, email: string): Promise<OwedMail[]> =>
  (await owedMessages(db, 'recipient = $1', [email])).filter(
    (message): message is OwedMail => message.subject !== null,
  );

/** The token in the latest mail to an address. Throws if there is none. */
export async function latestToken(db: Db, email: string): Promise<string> {
  const token = (await mailsTo(db, email)).at(-1)?.token;
  if (!token) throw new Error(`No token was mailed to ${email}.`);
  return token;
}
