import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { SMTPServerOptions } from 'smtp-server';
import { UndeliverableMail } from '../../../../activities/providers/mail/port';
import { freePort } from '../../../../local/machine/ports';
import { from, headersOf, mail, mailBy, ownMailServers } from './mail-server';

const serve = ownMailServers();

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
