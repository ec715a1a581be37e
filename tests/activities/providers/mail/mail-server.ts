import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Mail } from '../../../../activities/providers/mail/port';
import { smtpMail, type Sender } from '../../../../activities/providers/mail/smtp';
import { certificate } from './certificate';

/** A mail as it came in. */
export interface Received {
  from: string;
  to: readonly string[];
  /** As it was sent: headers, an empty line, the body. */
  source: string;
  user: string | undefined;
  encrypted: boolean;
}

/** A real SMTP server on a port of this machine. */
export interface MailServer {
  port: number;
  received: Received[];
  close: () => Promise<void>;
}

/** Accepts all mail unless configured to refuse; without `authOptional: false` it requires no authentication. */
async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const received: Received[] = [];
  const server = new SMTPServer({
    ...certificate,
    authOptional: true,
    disabledCommands: options.onAuth ? [] : ['AUTH', 'STARTTLS'],
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(parts).toString(),
          user: session.user,
          encrypted: session.secure,
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined); // A client that hangs up is no concern of the test.
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

/** The headers of a mail by lower-case name, unfolded; one that is there twice is an array of its values. */
export function headersOf({ source }: Received): Record<string, string[]> {
  const [head = ''] = source.split('\r\n\r\n');
  const headers: Record<string, string[]> = {};
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    (headers[name.toLowerCase()] ??= []).push(value);
  }
  return headers;
}

/** A mail like any other. */
export const mail: Mail = {
  id: '0199aaaa-0000-7000-8000-000000000001',
  to: 'ada@example.com',
  subject: 'Confirm your address',
  text: 'Hello',
  html: '<p>Hello</p>',
};

export const from: Sender = { name: 'The Shop', address: 'no-reply@shop.example' };

/** Servers of the calling file, closed after each test; to be called at its top level. */
export function ownMailServers() {
  const running: MailServer[] = [];
  afterEach(async () => {
    for (const server of running.splice(0)) await server.close();
  });
  return async (options?: SMTPServerOptions, port?: number): Promise<MailServer> => {
    const server = await startMailServer(options, port);
    running.push(server);
    return server;
  };
}

/** The driver, trusting the servers' certificate. */
export const mailBy = (port: number, credentials = '') =>
  smtpMail({ url: new URL(`smtp://${credentials}localhost:${port}`), from, tls: { ca: certificate.cert } });
