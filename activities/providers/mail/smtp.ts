import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectionOptions } from 'node:tls';
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { UndeliverableMail, type Mail, type MailProvider } from './port';

/** One address with its display name. */
export interface Sender {
  name: string;
  address: string;
}

interface SmtpServer {
  /** `smtp:` starts in plain text and upgrades to TLS if the server can; `smtps:` is encrypted from the start. */
  url: URL;
  from: Sender;
  /** Differences from Node's default trust. */
  tls?: ConnectionOptions;
}

/** Longest wait for each: a connection, its greeting, and any answer after that. */
const ANSWER_MS = 10_000;
/** Longest time for a whole delivery; the outbox allows a driver one minute. */
const WHOLE_MS = 45_000;
const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/**
 * Hands mails to a mail server, one connection each. A mail handed over twice has the same Message-ID, by which mail
 * programs show it once. Credentials travel encrypted or not at all.
 */
export function smtpMail({ url, from, tls }: SmtpServer): MailProvider {
  const user = decodeURIComponent(url.username);
  const transport = createTransport({
    host: url.hostname,
    port: url.port === '' ? PORTS[url.protocol] : Number(url.port),
    secure: url.protocol === 'smtps:',
    requireTLS: user !== '',
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
    ...(tls && { tls }),
    connectionTimeout: ANSWER_MS,
    greetingTimeout: ANSWER_MS,
    socketTimeout: ANSWER_MS,
    dnsTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const send = (mail: Mail) => transport.sendMail(asMessage(mail, from));
  return {
    async send(mail) {
      const late = new AbortController();
      try {
        await Promise.race([send(mail), tooLate(late.signal)]);
      } catch (error) {
        throw isRefusedRecipient(error)
          ? new UndeliverableMail('The mail server knows no such recipient.', { cause: error })
          : error;
      } finally {
        late.abort();
      }
    },
  };
}

/** The mail for nodemailer, with addresses in parts: a text would be parsed, perhaps into several addresses. */
function asMessage({ id, to, subject, text, html }: Mail, from: Sender) {
  return {
    from,
    to: [{ name: '', address: to }],
    subject,
    text,
    html,
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

async function tooLate(signal: AbortSignal): Promise<never> {
  await pause(WHOLE_MS, undefined, { signal, ref: false });
  throw new Error('The mail server took too long.');
}

const RefusedRecipient = z.object({ command: z.literal('RCPT TO'), responseCode: z.number().min(500) });

/** True if the server refused the recipient for good. Any other refusal may be our fault and can be corrected. */
const isRefusedRecipient = (error: unknown): boolean => RefusedRecipient.safeParse(error).success;
