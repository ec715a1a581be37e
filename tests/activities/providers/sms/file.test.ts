import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProvidersConfig } from '../../../../activities/providers/config';
import { fileMail } from '../../../../activities/providers/mail/file';
import { smsProvider } from '../../../../activities/providers/sms';
import { fileSms } from '../../../../activities/providers/sms/file';
import type { Sms } from '../../../../activities/providers/sms/port';

const sms: Sms = {
  id: '0199aaaa-0000-7000-8000-000000000001',
  to: '+4915112345678',
  text: 'Your code: 123456',
  code: '123456',
};
const secrets = { SANDBOX_SECRET: `whsec_${Buffer.alloc(24, 1).toString('base64')}` };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sms-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('puts a message into the folder of mails, marked as a text message', async () => {
  await fileSms(folder).send(sms);
  await fileSms(folder).send(sms);
  await fileMail(folder).send({ id: 'mail', to: 'a@example.com', subject: 'S', text: 'T', html: 'H' });
  expect((await readdir(folder)).sort()).toEqual([`${sms.id}.json`, 'mail.json']);
  const read = async (name: string) => JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8'));
  expect(await read(sms.id)).toEqual({ ...sms, channel: 'SMS' });
  expect(await read('mail')).not.toHaveProperty('channel');
});

describe('the configuration', () => {
  const parse = (variables: Record<string, string>) => ProvidersConfig.parse({ ...secrets, ...variables });

  test('is the folder by default', async () => {
    await smsProvider(parse({ MAIL_DIR: folder, SMS_HTTP_URL: '', SMS_HTTP_TOKEN: '' })).send(sms);
    expect(await readdir(folder)).toHaveLength(1);
  });

  test.each([[{}], [{ SMS_HTTP_URL: 'https://sms.example/messages' }], [{ SMS_HTTP_TOKEN: 'token' }]])(
    'must be whole for http: %j is not',
    (variables) => {
      expect(() => smsProvider(parse({ SMS_DRIVER: 'http', ...variables }))).toThrow(
        'SMS_DRIVER=http needs SMS_HTTP_URL and SMS_HTTP_TOKEN.',
      );
    },
  );

  test.each([
    [{ SMS_DRIVER: 'pigeon' }, 'SMS_DRIVER'],
    [{ SMS_HTTP_URL: 'sms.example' }, 'SMS_HTTP_URL'],
    [{ SMS_HTTP_TOKEN: 'a\r\nb' }, 'SMS_HTTP_TOKEN'],
  ])('%j is refused', (variables, name) => {
    expect(() => parse(variables)).toThrow(name);
  });
});
