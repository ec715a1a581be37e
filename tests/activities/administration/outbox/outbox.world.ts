import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OutboxDrivers } from '../../../../activities/administration/outbox/send-batch';
import type { Mail, MailProvider } from '../../../../activities/providers/mail/port';
import type { Sms, SmsProvider } from '../../../../activities/providers/sms/port';
import {
  enqueueMail,
  enqueueSms,
  type OutboxMail,
  type OutboxSms,
} from '../../../../db/administration/outbox/outbox.writes';
import { execute, firstRow, type Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';

export const mailTo = (reference: string, more: Partial<OutboxMail> = {}): OutboxMail => ({
  reference,
  to: 'ada@example.com',
  subject: 'Confirm your address',
  text: 'Hello',
  html: '<p>Hello</p>',
  ...more,
});

export const queueMail = (db: Db, reference: string, more: Partial<OutboxMail> = {}) =>
  inTransaction(db, (tx) => enqueueMail(tx, mailTo(reference, more)));

export const queueSms = (db: Db, reference: string, more: Partial<OutboxSms> = {}) =>
  inTransaction(db, (tx) => enqueueSms(tx, { reference, to: '+4915112345678', text: 'Hello', ...more }));

/** Makes all waiting messages due. */
export const timePasses = (db: Db) =>
  execute(db, `UPDATE outbox_messages SET due_at = now() - interval '1 second' WHERE status = 'WAITING'`);

export interface Stored {
  status: string;
  attempts: number;
  lastError: string | null;
  /** Tells whether a message's content is kept. */
  sealed: boolean;
  /** Time until the next try. */
  waitMs: number;
}

export const stored = async (db: Db, reference: string): Promise<Stored> => {
  const row = await firstRow<Stored>(
    db,
    `SELECT status, attempts, last_error,
            sealed_payload IS NOT NULL AS sealed,
            round(extract(epoch FROM due_at - now()) * 1000)::int AS wait_ms
       FROM outbox_messages WHERE reference = $1`,
    [reference],
  );
  return row!;
};

/** Providers that record the messages; mail also calls `reaction`. */
export function recordingMail(
  reaction: (mail: Mail) => void = () => undefined,
): OutboxDrivers & { mails: Mail[]; texts: Sms[] } {
  const mails: Mail[] = [];
  const texts: Sms[] = [];
  return {
    mails,
    texts,
    mail: {
      async send(mail) {
        mails.push(mail);
        reaction(mail);
      },
    },
    sms: {
      async send(sms) {
        texts.push(sms);
      },
    },
  };
}

/** Drivers for mail only; a text message is an error. */
export const byMail = (mail: MailProvider): OutboxDrivers => ({ mail, sms: noSms });

const noSms: SmsProvider = {
  async send() {
    throw new Error('There is a text message.');
  },
};

/** A new folder for mails, with functions that read it. */
export async function mailFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'mail-'));
  return {
    folder,
    files: () => readdir(folder),
    read: async (name: string): Promise<unknown> => JSON.parse(await readFile(join(folder, name), 'utf8')),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
