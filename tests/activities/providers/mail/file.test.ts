import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProvidersConfig } from '../../../../activities/providers/config';
import { mailProvider } from '../../../../activities/providers/mail';
import { fileMail } from '../../../../activities/providers/mail/file';
import type { Mail } from '../../../../activities/providers/mail/port';

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
    const smtp = ProvidersConfig.parse({ ...secrets, MAIL_DRIVER: 'smtp', SMTP_URL: '' });
    expect(() => mailProvider(smtp)).toThrow('MAIL_DRIVER=smtp needs SMTP_URL.');
    const whole = { ...smtp, SMTP_URL: new URL('smtp://mail.example') };
    expect(mailProvider(whole)).toEqual({ send: expect.any(Function) });
  });

  test('an empty address for the sandbox’s reports counts as unset', () => {
    expect(
      ProvidersConfig.parse({ ...secrets, SANDBOX_WEBHOOK_URL: '' }).SANDBOX_WEBHOOK_URL,
    ).toBeUndefined();
  });

  test('an address may end with a slash', () => {
    expect(ProvidersConfig.parse({ ...secrets, PUBLIC_URL: 'https://shop.example//' }).PUBLIC_URL).toBe(
      'https://shop.example',
    );
  });
});
