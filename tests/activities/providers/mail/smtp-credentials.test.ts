import type { SMTPServerOptions } from 'smtp-server';
import { UndeliverableMail } from '../../../../activities/providers/mail/port';
import { smtpMail } from '../../../../activities/providers/mail/smtp';
import { certificate } from './certificate';
import { from, mail, mailBy, ownMailServers } from './mail-server';

const serve = ownMailServers();

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
