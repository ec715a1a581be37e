import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { ProvidersConfig } from '../../../../activities/providers/config';
import { mailProvider } from '../../../../activities/providers/mail';
import { fileMail } from '../../../../activities/providers/mail/file';
import { type Mail, UndeliverableMail } from '../../../../activities/providers/mail/port';
import { type Sender, smtpMail } from '../../../../activities/providers/mail/smtp';
import { freePort } from '../../../../local/machine/ports';

/** A certificate for this machine that nobody trusts by itself, good for a hundred years; and its key, a secret of no worth. */
const certificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUcj5iozU/t05yCakiDdcuFM6Ebb8wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA2NDIwOVoYDzIxMjYxMDI4
MDY0MjA5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQu9VOmY5Iu6nO/MGijZzDwi/SQ4dtYiTvebWyqZYU6/wyWJ1v91Zy/
t3GJVMFYsC3U2zk4xqQKU5HEghF+YHL4o28wbTAdBgNVHQ4EFgQULoMe3dAy8XjT
YdAtLhX2FFwoDBEwHwYDVR0jBBgwFoAULoMe3dAy8XjTYdAtLhX2FFwoDBEwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAMLCVzuyKrEFDpDsQtAAq2JKW2t/oFO4WBiv9SSbSkyqAiEA
0y798siIYPjntprfE4dZ5axN7bafvq3HXZ4Kml5NxxY=
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgS24Ap1Ws1pq4FRmB
wB0qF11jTP4xFGTyXsfh08U7abWhRANCAAQu9VOmY5Iu6nO/MGijZzDwi/SQ4dtY
iTvebWyqZYU6/wyWJ1v91Zy/t3GJVMFYsC3U2zk4xqQKU5HEghF+YHL4
-----END PRIVATE KEY-----`,
};

/** A mail as it came in. */
interface Received {
  from: string;
  to: readonly string[];
  /** As it was sent: headers, an empty line, the body. */
  source: string;
  user: string | undefined;
  encrypted: boolean;
}

/** A real SMTP server on a port of this machine. */
interface MailServer {
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
function headersOf({ source }: Received): Record<string, string[]> {
  const [head = ''] = source.split('\r\n\r\n');
  const headers: Record<string, string[]> = {};
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    (headers[name.toLowerCase()] ??= []).push(value);
  }
  return headers;
}

/** A mail like any other. */
const mail: Mail = {
  id: '0199aaaa-0000-7000-8000-000000000001',
  to: 'ada@example.com',
  subject: 'Confirm your address',
  text: 'Hello',
  html: '<p>Hello</p>',
};

const from: Sender = { name: 'The Shop', address: 'no-reply@shop.example' };

/** Servers of the calling file, closed after each test; to be called at its top level. */
function ownMailServers() {
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
const mailBy = (port: number, credentials = '') =>
  smtpMail({ url: new URL(`smtp://${credentials}localhost:${port}`), from, tls: { ca: certificate.cert } });

const serve = ownMailServers();

describe('as files', () => {
  const mail: Mail = {
    id: '0199aaaa-0000-7000-8000-000000000001',
    to: 'ada@example.com',
    subject: 'Grüße',
    text: 'Hello',
    html: '<p>Hello</p>',
    token: 'secret-token',
  };
  const secrets = { SANDBOX_SECRET: `whsec_${Buffer.alloc(24, 1).toString('base64')}` };

  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mail-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('writes a mail as one private JSON file into a folder that it makes', async () => {
    const inside = join(folder, 'a', 'b');
    await fileMail(inside).send(mail);
    const file = join(inside, `${mail.id}.json`);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(mail);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('a mail handed over again replaces itself', async () => {
    await fileMail(folder).send(mail);
    await Promise.all([fileMail(folder).send(mail), fileMail(folder).send({ ...mail, id: 'another' })]);
    expect((await readdir(folder)).sort()).toEqual([`${mail.id}.json`, 'another.json']);
  });

  test('a mail that could not be written leaves nothing behind', async () => {
    await mkdir(join(folder, `${mail.id}.json`)); // A folder cannot be replaced by a file.
    await expect(fileMail(folder).send(mail)).rejects.toThrow();
    expect(await readdir(folder)).toEqual([`${mail.id}.json`]);
  });

  describe('the configuration', () => {
    test('has a default for everything but the secret', () => {
      expect(ProvidersConfig.parse(secrets)).toMatchObject({
        MAIL_DRIVER: 'file',
        MAIL_DIR: '.data/outbox',
        PAYMENT_PROVIDER: 'sandbox',
        PUBLIC_URL: 'http://localhost:3000',
        SANDBOX_SECRET: [secrets.SANDBOX_SECRET],
      });
      expect(() => ProvidersConfig.parse({})).toThrow('SANDBOX_SECRET');
    });

    test('takes several secrets, the first of which signs', () => {
      const other = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
      const parsed = ProvidersConfig.parse({ SANDBOX_SECRET: `${other}, ${secrets.SANDBOX_SECRET}` });
      expect(parsed.SANDBOX_SECRET).toEqual([other, secrets.SANDBOX_SECRET]);
    });

    test.each([
      [{ MAIL_DRIVER: 'pigeon' }, 'MAIL_DRIVER'],
      [{ SMTP_URL: 'https://mail.example' }, 'SMTP_URL'],
      [{ MAIL_FROM: 'The Shop' }, 'must be an address'],
      [{ MAIL_FROM: 'a@example.com, b@example.com' }, 'must be an address'],
      [{ MAIL_FROM: 'The Shop\r\nBcc: b@example.com <a@example.com>' }, 'must be an address'],
      [{ MAIL_DIR: '' }, 'MAIL_DIR'],
      [{ PUBLIC_URL: 'ftp://example.com' }, 'PUBLIC_URL'],
      [{ SANDBOX_WEBHOOK_URL: 'proxy:8080' }, 'SANDBOX_WEBHOOK_URL'],
      [{ SANDBOX_SECRET: 'demo' }, 'must be whsec_'],
    ])('%j is refused', (variables, message) => {
      expect(() => ProvidersConfig.parse({ ...secrets, ...variables })).toThrow(message);
    });

    test('names who mail is from', () => {
      const from = (MAIL_FROM: string) => ProvidersConfig.parse({ ...secrets, MAIL_FROM }).MAIL_FROM;
      expect(from('The Shop, Ltd. <hello@shop.example>')).toEqual({
        ...{ name: 'The Shop, Ltd.', address: 'hello@shop.example' },
      });
      expect(from('hello@shop.example')).toEqual({ name: '', address: 'hello@shop.example' });
    });

    test('must name a server to send by smtp', () => {
      const smtp = ProvidersConfig.parse({ ...secrets, MAIL_DRIVER: 'smtp' });
      expect(() => mailProvider(smtp)).toThrow('MAIL_DRIVER=smtp needs SMTP_URL.');
      const whole = { ...smtp, SMTP_URL: new URL('smtp://mail.example') };
      expect(mailProvider(whole)).toEqual({ send: expect.any(Function) });
    });

    test('an address may end with a slash', () => {
      expect(ProvidersConfig.parse({ ...secrets, PUBLIC_URL: 'https://shop.example//' }).PUBLIC_URL).toBe(
        'https://shop.example',
      );
    });
  });
});

describe('over SMTP', () => {
  /** Reads RFC 2047's way of writing letters beyond ASCII in a header. */
  const wordsOf = (header: string): string =>
    header
      .replace(/\?= +=\?/g, '?==?')
      .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/g, (_, way: string, word: string) =>
        way === 'B'
          ? Buffer.from(word, 'base64').toString()
          : decodeURIComponent(word.replaceAll('_', ' ').replace(/=([0-9A-F]{2})/g, '%$1')),
      );

  const refuse = (responseCode: number) => Object.assign(new Error('refused'), { responseCode });

  test('a mail arrives, in text and HTML, from us and for one person', async () => {
    const server = await serve();
    await mailBy(server.port).send({ ...mail, token: 'secret-token', code: '123456' });
    const [received, ...others] = server.received;
    expect(others).toEqual([]);
    expect(received).toMatchObject({ from: from.address, to: [mail.to] });
    expect(headersOf(received!)).toMatchObject({
      from: ['The Shop <no-reply@shop.example>'],
      to: ['ada@example.com'],
      subject: ['Confirm your address'],
      'message-id': [`<${mail.id}@shop.example>`],
      'auto-submitted': ['auto-generated'],
    });
    expect(received!.source).toContain('Content-Type: text/plain; charset=utf-8');
    expect(received!.source).toContain('Content-Type: text/html; charset=utf-8');
    expect(received!.source).not.toMatch(/secret-token|123456/);
  });

  test('a mail handed over again is recognisable as the same', async () => {
    const server = await serve();
    await mailBy(server.port).send(mail);
    await mailBy(server.port).send(mail);
    await mailBy(server.port).send({ ...mail, id: 'another' });
    const ids = server.received.map((received) => headersOf(received)['message-id']![0]);
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(2);
  });

  test('letters of all languages arrive as they are', async () => {
    const server = await serve();
    await mailBy(server.port).send({
      ...mail,
      subject: 'Grüße, 世界',
      text: 'Größe 🎁',
      html: '<p>Größe 🎁</p>',
    });
    const [received] = server.received;
    expect(headersOf(received!)['subject']!.map(wordsOf)).toEqual(['Grüße, 世界']);
    expect(received!.source).toContain(Buffer.from('Größe 🎁').toString('base64'));
  });

  test('an address of letters beyond ASCII is reached where the server can', async () => {
    const server = await serve();
    await mailBy(server.port).send({ ...mail, to: 'ada@größe.example' });
    expect(server.received[0]!.to).toEqual(['ada@größe.example']);
  });

  describe('a refusal', () => {
    test('of the recipient for good is final', async () => {
      const server = await serve({ onRcptTo: (_address, _session, done) => done(refuse(550)) });
      await expect(mailBy(server.port).send(mail)).rejects.toBeInstanceOf(UndeliverableMail);
      expect(server.received).toEqual([]);
    });

    test.each<[string, SMTPServerOptions]>([
      ['of the recipient for now', { onRcptTo: (_address, _session, done) => done(refuse(450)) }],
      ['of us', { onMailFrom: (_address, _session, done) => done(refuse(550)) }],
      ['to speak with us', { onConnect: (_session, done) => done(refuse(554)) }],
      [
        'of the mail',
        { onData: (stream, _session, done) => void stream.resume().on('end', () => done(refuse(451))) },
      ],
    ])('%s may pass', async (_, options) => {
      const server = await serve(options);
      const failing = mailBy(server.port).send(mail);
      await expect(failing).rejects.toThrow();
      await expect(failing).rejects.not.toBeInstanceOf(UndeliverableMail);
    });
  });

  test('a server that is away is tried again later, and then the mail goes out', async () => {
    const port = await freePort();
    const provider = mailBy(port);
    await expect(provider.send(mail)).rejects.toThrow('ECONNREFUSED');
    const server = await serve({}, port);
    await provider.send(mail);
    expect(server.received).toHaveLength(1);
  });

  test('a server that hangs up in the middle is no delivery', async () => {
    const rude = createServer((socket) => socket.end('220 here\r\n')).listen(0, '127.0.0.1');
    await once(rude, 'listening');
    const failing = mailBy((rude.address() as AddressInfo).port).send(mail);
    await expect(failing).rejects.toThrow();
    await expect(failing).rejects.not.toBeInstanceOf(UndeliverableMail);
    rude.close();
  });

  /** Beyond what `assertDeliverable` lets pass: the driver itself adds no header and no recipient. */
  describe('text made to be read as something else', () => {
    test.each([
      ['a header in the subject', { subject: 'Hello\r\nBcc: eve@example.com' }],
      ['a header in the recipient', { to: 'ada@example.com\r\nBcc: eve@example.com' }],
      ['two recipients', { to: 'ada@example.com, eve@example.com' }],
      ['a command in the recipient', { to: 'ada@example.com>\r\nRCPT TO:<eve@example.com' }],
      ['a recipient with a name', { to: 'Ada <eve@example.com>' }],
      ['a mail in the text', { text: 'Hello\r\n.\r\nMAIL FROM:<eve@example.com>\r\n' }],
      ['a file', { text: 'Hello', html: '<img src="/etc/passwd">' }],
    ])('%s reaches nobody else and adds nothing', async (_, more) => {
      const server = await serve();
      await mailBy(server.port)
        .send({ ...mail, ...more })
        .catch(() => undefined);
      expect(server.received.length).toBeLessThanOrEqual(1);
      for (const received of server.received) {
        expect(received.to).toHaveLength(1);
        expect(received.from).toBe(from.address);
        expect(Object.keys(headersOf(received))).not.toContain('bcc');
        expect(received.source).not.toContain('root:');
      }
    });
  });
});

describe('over SMTP', () => {
  describe('credentials', () => {
    const seen: (string | undefined)[] = [];
    const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, _session, done) => {
      seen.push(username);
      if (username === 'shop@example.com' && password === 'p@ss:word/') done(null, { user: username });
      else done(null, { user: undefined });
    };
    const credentials = 'shop%40example.com:p%40ss%3Aword%2F@';
    beforeEach(() => void seen.splice(0));

    test('are shown over an encrypted connection', async () => {
      const server = await serve({ onAuth, authOptional: false });
      await mailBy(server.port, credentials).send(mail);
      expect(server.received).toMatchObject([{ user: 'shop@example.com', encrypted: true }]);
    });

    test('that are wrong may be put right', async () => {
      const server = await serve({ onAuth, authOptional: false });
      const failing = mailBy(server.port, 'shop%40example.com:wrong@').send(mail);
      await expect(failing).rejects.toThrow('Invalid login');
      await expect(failing).rejects.not.toBeInstanceOf(UndeliverableMail);
    });

    test('are never shown in the clear', async () => {
      const server = await serve({
        onAuth,
        allowInsecureAuth: true,
        hideSTARTTLS: true,
        disabledCommands: ['STARTTLS'],
      });
      await expect(mailBy(server.port, credentials).send(mail)).rejects.toThrow(/STARTTLS/);
      expect(seen).toEqual([]);
    });

    test('are never sent to a server without a trusted certificate', async () => {
      const server = await serve({ onAuth });
      const trusting = smtpMail({ url: new URL(`smtp://${credentials}localhost:${server.port}`), from });
      await expect(trusting.send(mail)).rejects.toThrow(/self-signed/);
      expect(seen).toEqual([]);
    });

    test('may be shown to a server that is encrypted from the start', async () => {
      const server = await serve({ onAuth, secure: true });
      const url = new URL(`smtps://${credentials}localhost:${server.port}`);
      await smtpMail({ url, from, tls: { ca: certificate.cert } }).send(mail);
      expect(server.received).toMatchObject([{ user: 'shop@example.com', encrypted: true }]);
    });
  });
});
